# SPDX-License-Identifier: Apache-2.0
"""A SLURM cluster on this machine: munged, slurmctld and two nodes, each a slurmd of one CPU, from the toolchain's part `slurm`.

No root is needed. Each node has a process and a mount namespace of its own: a node that is lost takes all its processes with it at once, and it
sees the shared folder as the file server has it, which the submitting side sees with a delay (`Server`).
"""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from nhg import paths

SLURM = paths.TOOLCHAIN / "slurm/usr"
COMMANDS = ("sbatch", "srun", "squeue", "scancel", "scontrol", "sinfo", "sacct")
NODES = ("node1", "node2")

CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
PluginDir={plugins}
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/spool/%n
# What needs root or cgroups on a real node is left out
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
# A lost node is given up in half a minute, also when this machine is busy; jobs are begun within seconds
SlurmdTimeout=12
KillWait=1
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmdParameters=config_overrides
NodeName=node[1-2] NodeAddr=127.0.0.1 NodeHostname={host} Port=[{ports[1]}-{ports[2]}] CPUs=1 RealMemory=4000
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=REQUEUE State=UP
PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF State=UP
"""


def free_ports() -> list[int]:
    """One for the controller, and two that follow each other for the nodes."""
    while True:
        with socket.socket() as first, socket.socket() as second, socket.socket() as other:
            first.bind(("127.0.0.1", 0))
            other.bind(("127.0.0.1", 0))
            try:
                second.bind(("127.0.0.1", first.getsockname()[1] + 1))
            except OSError:
                continue
            return [other.getsockname()[1], first.getsockname()[1], second.getsockname()[1]]


class Server:
    """A shared file system that is late: what one side writes in `here` the other sees after some seconds. Nodes have `there` in the place of `here`."""

    def __init__(self, here: Path, there: Path, seconds: float) -> None:
        self.here, self.there, self.seconds = here, there, seconds
        self.stopped = threading.Event()
        self.first_seen: dict[tuple[str, int], float] = {}
        self.late = 0  # records that were there before they were here
        for side in (here, there):
            (side / "cluster/jobs").mkdir(parents=True)
            (side / "failed").mkdir()
            (side / "logs").mkdir()
        self.thread = threading.Thread(target=self.hand_on)

    def hand_on(self) -> None:
        """Jobs and the folder that Snakemake's jobs wait for go to the nodes; records, reasons and logs come back."""
        to_nodes, to_us = ("cluster/jobs/*.job", "cluster/.snakemake/tmp.*"), ("*.json", "failed/*.json", "logs/*.log")
        while not self.stopped.wait(0.2):
            for source, target, patterns in ((self.here, self.there, to_nodes), (self.there, self.here, to_us)):
                for path in [path for pattern in patterns for path in source.glob(pattern) if not path.name.startswith(".")]:
                    try:
                        self.hand_over(path, target / path.relative_to(source))
                    except FileNotFoundError:
                        continue  # removed in the meantime

    def hand_over(self, path: Path, target: Path) -> None:
        """Show a file or folder to the other side once it is old enough."""
        changed = path.stat().st_mtime_ns
        if target.exists() and (path.is_dir() or target.stat().st_mtime_ns >= changed):
            return
        if time.monotonic() - self.first_seen.setdefault((str(path), changed), time.monotonic()) < self.seconds:
            return
        if path.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            return
        self.late += path.suffix == ".json" and path.parent == self.there
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name}.tmp")
        shutil.copy2(path, temporary)
        temporary.replace(target)


class Cluster:
    """Started and stopped as a context; `commands` is a folder of SLURM's commands that know this cluster."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.folder, self.server = folder, server
        self.commands = folder / "bin"
        self.running: dict[str, subprocess.Popen] = {}
        self.hastened: set[tuple[str, str]] = set()
        for name in ("state", "spool", "bin"):
            (folder / name).mkdir(parents=True)
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        configuration = folder / "slurm.conf"
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        plugins = SLURM / "lib/x86_64-linux-gnu/slurm-wlm"
        host = socket.gethostname().split(".")[0]
        configuration.write_text(CONFIGURATION.format(folder=folder, host=host, ports=free_ports(), user=user, plugins=plugins))
        (folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n")
        for command in COMMANDS:
            # Snakemake takes SLURM's variables from its jobs; on a real cluster the configuration is in /etc.
            wrapper = self.commands / command
            wrapper.write_text(f'#!/bin/sh\nSLURM_CONF={configuration} exec {SLURM}/bin/{command} "$@"\n')
            wrapper.chmod(0o755)
        self.environment = {**os.environ, "SLURM_CONF": str(configuration)}

    def start(self, name: str, *command: str | Path) -> None:
        with (self.folder / f"{name}.log").open("w") as log:
            self.running[name] = subprocess.Popen(list(map(str, command)), env=self.environment, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def start_node(self, name: str) -> None:
        own = [
            "unshare",
            *(["--user", "--map-current-user", "--keep-caps"] if os.geteuid() else []),
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
        ]
        script = 'mount --bind "$1" "$2" && exec "$3" -D -N "$4" -d "$5"'
        places = (self.server.there, self.server.here, SLURM / "sbin/slurmd", name, SLURM / "sbin/slurmstepd")
        (self.folder / "spool" / name).mkdir(exist_ok=True)
        self.start(name, *own, "sh", "-c", script, "node", *places)

    def lose_node(self, name: str) -> None:
        """All its processes are gone at once, as when its power fails."""
        self.running[name].kill()
        self.running.pop(name).wait()

    def say(self, *command: str) -> str:
        """What a command of SLURM says."""
        return subprocess.run([self.commands / command[0], *command[1:]], capture_output=True, text=True, check=True).stdout.strip()

    def jobs(self, state: str) -> dict[str, str]:
        """The node of each job in this state, by its number."""
        lines = self.say("squeue", "--noheader", "--states", state, "--format", "%i %N").splitlines()
        return {line.split()[0]: line.split()[1] if " " in line.strip() else "" for line in lines}

    def fact(self, job: str, name: str) -> str:
        """What the controller knows of a job, also of one that has ended."""
        words = self.say("scontrol", "--oneliner", "show", "job", job).split()
        return dict(word.split("=", 1) for word in words if "=" in word)[name]

    def tend(self) -> None:
        """What an operator can do: a job that SLURM would let wait two minutes before it begins it again need not."""
        for line in self.say("squeue", "--noheader", "--states=PENDING", "--Format=JobID:12,RestartCnt:8,Reason:20").splitlines():
            job, restarts, reason = line.split(maxsplit=2)  # a reason may be a sentence
            if reason.strip() == "BeginTime" and (job, restarts) not in self.hastened:
                self.hastened.add((job, restarts))
                self.say_or_nothing("scontrol", "update", f"JobId={job}", "StartTime=now")  # nothing: it has begun meanwhile

    def __enter__(self) -> "Cluster":
        munge = [f"--{name}={self.folder}/munge.{end}" for name, end in (("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("seed-file", "seed"))]
        # By force: a socket that other users could not reach is refused otherwise.
        self.start("munged", SLURM / "sbin/munged", "--foreground", "--force", *munge, f"--log-file={self.folder}/munge.log")
        wait_for((self.folder / "munge.socket").exists, 20, "munged")
        self.start("slurmctld", SLURM / "sbin/slurmctld", "-D")
        for name in NODES:
            self.start_node(name)
        wait_for(lambda: self.say_or_nothing("sinfo", "--noheader", "--partition=low", "--format=%t %D") == "idle 2", 40, "two idle nodes")
        self.server.thread.start()
        return self

    def return_nodes(self) -> None:
        """Start lost nodes. Not at once: what SLURM tells a node that returns of the job it had would also end that job's next run there."""
        for name in set(NODES) - set(self.running):
            self.start_node(name)

    def say_or_nothing(self, *command: str) -> str:
        try:
            return self.say(*command)
        except subprocess.CalledProcessError:
            return ""

    def __exit__(self, *_: object) -> None:
        self.server.stopped.set()
        if self.server.thread.is_alive():
            self.server.thread.join()
        for name, process in self.running.items():
            process.send_signal(signal.SIGKILL if name in NODES else signal.SIGTERM)
        for process in self.running.values():
            process.wait(20)


def wait_for(condition, seconds: float, what: str) -> None:  # type: ignore[no-untyped-def]
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, f"{what}: not within {seconds:g} s"
        time.sleep(0.2)
