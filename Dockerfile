# SPDX-License-Identifier: Apache-2.0
#
# The steps of README.md in a container; nothing here is known to the Dockerfile alone.
#   docker build -t coroamu . && docker run -it coroamu
# `machine` is the fresh Debian that README.md asks for (the dev container is built from it), `ready` has the toolchain and the first result.
# Tried without Docker by tools/container/dockerfile.py, which runs the same lines in a chroot.
FROM debian:bookworm AS machine
RUN apt-get update && apt-get install -y make gcc git openjdk-17-jdk-headless python3 && rm -rf /var/lib/apt/lists/*
WORKDIR /coroamu

FROM machine AS ready
COPY . .
RUN make setup
RUN make doctor
RUN make run LAT=800 SCALE=tiny
CMD ["bash"]
