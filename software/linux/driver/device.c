// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/coroamu: the AMU and its scratchpad for user programs, one owner at a time, in turn.
 *
 * A process that asks becomes a client for as long as its address space lives; one thread of it has the grant. The AMU holds the state of one client, the
 * resident one. Only its thread may execute AMI instructions (sstateen0), and only its address space maps the SPM window. The first AMI instruction of
 * another client's thread is an illegal one, its first access of the window a page fault; both make that client the resident one. So who does not use the AMU
 * in its time slices costs nothing. Cycle and instruction counter are for threads with a grant.
 *
 * Requests under way: the kernel's own sfence.vma, which ends every change of a mapping, waits for them. What is left of a client goes when its address space
 * does, or with the grant: by exec, exit or a signal.
 */
#include <linux/fs.h>
#include <linux/coroamu.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <asm/csr.h>

#include "coroamu.h"
#include "state.h"

#define STATEEN_CUSTOM 1UL
#define COUNTER_CYCLE 1UL
#define COUNTER_TIME 2UL
#define COUNTER_INSTRET 4UL

struct client {
  struct mmu_notifier notifier;
  struct preempt_notifier switches;
  struct task_struct *task; /* with the grant, or NULL */
  bool known;
  struct coroamu_state state; /* while it is not resident */
};

static DEFINE_MUTEX(lock);
static struct client *resident;
static struct address_space *windows; /* every file's, so that all mappings of the SPM window are found */
static pid_t measured;
static struct {
  unsigned long drains, faults, switches, switch_cycles;
} counts;

/* What user mode may use from here on. */
static void allow(const struct client *client) {
  csr_write(CSR_SSTATEEN0, client && client == resident ? STATEEN_CUSTOM : 0);
  csr_write(CSR_SCOUNTEREN, client ? COUNTER_CYCLE | COUNTER_TIME | COUNTER_INSTRET : COUNTER_TIME);
}

static void sched_in(struct preempt_notifier *notifier, int cpu) {
  allow(container_of(notifier, struct client, switches));
}

static void sched_out(struct preempt_notifier *notifier, struct task_struct *next) {
  struct client *client = container_of(notifier, struct client, switches);

  allow(NULL);
  if (READ_ONCE(current->__state) == TASK_DEAD) {
    client->task = NULL;
    INIT_HLIST_NODE(&notifier->link); /* its list goes with the task */
  }
}

static struct preempt_ops switch_ops = {
    .sched_in = sched_in,
    .sched_out = sched_out,
};

/* The client that the calling thread has the grant of, or NULL; with the lock held. */
static struct client *find_client(void) {
  struct preempt_notifier *notifier;

  hlist_for_each_entry(notifier, &current->preempt_notifiers,
                       link) if (notifier->ops == &switch_ops) return container_of(notifier, struct client, switches);
  return NULL;
}

/* Takes the grant back. There is one hart, so no other task is between sched_in and sched_out here. */
static void detach(struct client *client) {
  preempt_disable();
  if (client->task) {
    hlist_del_init(&client->switches.link);
    client->task = NULL;
  }
  if (resident == client) {
    coroamu_clear();
    counts.drains++;
    resident = NULL;
  }
  coroamu_state_reset(&client->state);
  allow(find_client());
  preempt_enable();
}

static void unmap_windows(void) { unmap_mapping_range(windows, NHG_SPM_BASE, NHG_SPM_SIZE, 1); }

/* With the lock held. */
static void make_resident(struct client *client) {
  unsigned long begin;

  if (resident != client) {
    unmap_windows();
    preempt_disable();
    begin = csr_read(CSR_CYCLE);
    if (resident) {
      coroamu_save(&resident->state);
      counts.drains++;
    }
    coroamu_restore(&client->state);
    resident = client;
    counts.switches++;
    counts.switch_cycles += csr_read(CSR_CYCLE) - begin;
    preempt_enable();
  }
  preempt_disable();
  if (client->task == current)
    allow(client);
  preempt_enable();
}

static struct mmu_notifier *alloc_client(struct mm_struct *mm) {
  struct client *client = kzalloc(sizeof(*client), GFP_KERNEL);

  if (!client)
    return ERR_PTR(-ENOMEM);
  if (coroamu_state_init(&client->state)) {
    kfree(client);
    return ERR_PTR(-ENOMEM);
  }
  return &client->notifier;
}

static void free_client(struct mmu_notifier *notifier) {
  struct client *client = container_of(notifier, struct client, notifier);

  coroamu_state_free(&client->state);
  kfree(client);
}

/* The address space ends. */
static void forget_client(struct mmu_notifier *notifier, struct mm_struct *mm) {
  struct client *client = container_of(notifier, struct client, notifier);

  mutex_lock(&lock);
  detach(client);
  mutex_unlock(&lock);
  mmu_notifier_put(notifier);
}

static const struct mmu_notifier_ops client_ops = {
    .alloc_notifier = alloc_client,
    .free_notifier = free_client,
    .release = forget_client,
};

static long grant(void) {
  struct mmu_notifier *notifier = mmu_notifier_get(&client_ops, current->mm);
  struct client *client;
  long error = 0;

  if (IS_ERR(notifier))
    return PTR_ERR(notifier);
  client = container_of(notifier, struct client, notifier);
  mutex_lock(&lock);
  if (client->known)
    mmu_notifier_put(notifier); /* the first one is for the life of the address space */
  client->known = true;
  if (client->task) {
    error = client->task == current ? 0 : -EBUSY;
  } else {
    detach(client); /* what a thread that has ended left */
    preempt_disable();
    client->task = current;
    preempt_notifier_init(&client->switches, &switch_ops);
    preempt_notifier_register(&client->switches);
    allow(client);
    preempt_enable();
  }
  mutex_unlock(&lock);
  return error;
}

static long release_grant(void) {
  struct client *client;

  mutex_lock(&lock);
  client = find_client();
  if (client) {
    unmap_windows();
    detach(client);
  }
  mutex_unlock(&lock);
  return client ? 0 : -EPERM;
}

static long coroamu_ioctl(struct file *file, unsigned int command, unsigned long argument) {
  switch (command) {
  case COROAMU_GRANT:
    return grant();
  case COROAMU_RELEASE:
    return release_grant();
  default:
    return -ENOTTY;
  }
}

/* Called when a thread executes another program, which gets no grant with it. */
void coroamu_exec(void) {
  struct client *client;

  mutex_lock(&lock);
  client = find_client();
  if (client)
    detach(client);
  mutex_unlock(&lock);
}

/* Called for an illegal instruction of user mode: whether it may be tried again. */
bool coroamu_first_use(void) {
  struct client *client;
  bool again;

  mutex_lock(&lock);
  client = find_client();
  again = client && client != resident;
  if (again) {
    counts.faults++;
    make_resident(client);
  }
  mutex_unlock(&lock);
  return again;
}

static vm_fault_t window_fault(struct vm_fault *vmf) {
  struct vm_area_struct *vma = vmf->vma;
  struct client *client = vma->vm_private_data;
  vm_fault_t result = VM_FAULT_SIGBUS;
  unsigned long address;

  mutex_lock(&lock);
  if (client->task) {
    counts.faults++;
    make_resident(client);
    for (address = vma->vm_start; address < vma->vm_end; address += PAGE_SIZE) {
      result = vmf_insert_pfn(vma, address, vma->vm_pgoff + ((address - vma->vm_start) >> PAGE_SHIFT));
      if (result != VM_FAULT_NOPAGE)
        break;
    }
  }
  mutex_unlock(&lock);
  return result;
}

static const struct vm_operations_struct window_ops = {
    .fault = window_fault,
};

static bool lies_in(unsigned long first, unsigned long bytes, unsigned long base, unsigned long size) {
  return first >= base && first - base < size && bytes <= size - (first - base);
}

static int coroamu_mmap(struct file *file, struct vm_area_struct *vma) {
  unsigned long first = vma->vm_pgoff << PAGE_SHIFT, bytes = vma->vm_end - vma->vm_start;
  struct client *client;

  if (!(vma->vm_flags & VM_SHARED))
    return -EINVAL;
  vm_flags_set(vma, VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTCOPY | VM_DONTDUMP);
  if (lies_in(first, bytes, NHG_SPM_BASE, NHG_SPM_SIZE)) {
    mutex_lock(&lock);
    client = find_client();
    mutex_unlock(&lock);
    if (!client)
      return -EPERM;
    vma->vm_private_data = client; /* which lives as long as the address space */
    vma->vm_ops = &window_ops;
    return 0;
  }
  if (!lies_in(first, bytes, NHG_HOST_BASE, NHG_HOST_SIZE) &&
      !lies_in(first, bytes, NHG_FAR_CONTROL_BASE, NHG_FAR_CONTROL_SIZE))
    return -EINVAL;
  if (current->tgid != READ_ONCE(measured))
    return -EPERM;
  return remap_pfn_range(vma, vma->vm_start, vma->vm_pgoff, bytes, vma->vm_page_prot);
}

static int coroamu_open(struct inode *inode, struct file *file) {
  mutex_lock(&lock);
  if (!windows) {
    ihold(inode);
    windows = inode->i_mapping;
  }
  mutex_unlock(&lock);
  file->f_mapping = windows;
  return 0;
}

static const struct file_operations coroamu_fops = {
    .owner = THIS_MODULE,
    .open = coroamu_open,
    .mmap = coroamu_mmap,
    .unlocked_ioctl = coroamu_ioctl,
};

static ssize_t owner_show(struct device *device, struct device_attribute *attribute, char *text) {
  pid_t pid = 0;

  mutex_lock(&lock);
  preempt_disable(); /* its thread does not end meanwhile */
  if (resident && resident->task)
    pid = resident->task->pid;
  preempt_enable();
  mutex_unlock(&lock);
  return sysfs_emit(text, "%d\n", pid);
}
static DEVICE_ATTR_RO(owner);

static ssize_t outstanding_show(struct device *device, struct device_attribute *attribute, char *text) {
  return sysfs_emit(text, "%u\n", coroamu_outstanding());
}
static DEVICE_ATTR_RO(outstanding);

#define COUNT_ATTRIBUTE(name)                                                                                          \
  static ssize_t name##_show(struct device *device, struct device_attribute *attribute, char *text) {                  \
    return sysfs_emit(text, "%lu\n", READ_ONCE(counts.name));                                                          \
  }                                                                                                                    \
  static DEVICE_ATTR_RO(name)

COUNT_ATTRIBUTE(drains);
COUNT_ATTRIBUTE(faults);
COUNT_ATTRIBUTE(switches);
COUNT_ATTRIBUTE(switch_cycles);

static ssize_t measured_show(struct device *device, struct device_attribute *attribute, char *text) {
  return sysfs_emit(text, "%d\n", READ_ONCE(measured));
}

static ssize_t measured_store(struct device *device, struct device_attribute *attribute, const char *text,
                              size_t bytes) {
  pid_t pid;
  int error = kstrtoint(text, 0, &pid);

  if (error)
    return error;
  WRITE_ONCE(measured, pid);
  return bytes;
}
static DEVICE_ATTR_RW(measured);

static struct attribute *coroamu_attrs[] = {
    &dev_attr_owner.attr,    &dev_attr_outstanding.attr,   &dev_attr_drains.attr,   &dev_attr_faults.attr,
    &dev_attr_switches.attr, &dev_attr_switch_cycles.attr, &dev_attr_measured.attr, NULL,
};
ATTRIBUTE_GROUPS(coroamu);

static struct miscdevice coroamu_device = {
    .minor = MISC_DYNAMIC_MINOR,
    .name = "coroamu",
    .mode = 0666,
    .fops = &coroamu_fops,
    .groups = coroamu_groups,
};

static int __init coroamu_init(void) {
  int error;

  error = num_possible_cpus() == 1 ? coroamu_probe() : -ENODEV;
  if (error) {
    pr_info("coroamu: no AMU of version %d on a machine of one hart\n", NHG_AMU_CONTRACT_VERSION);
    return error;
  }
  allow(NULL);
  preempt_notifier_inc();
  return misc_register(&coroamu_device);
}
device_initcall(coroamu_init);
