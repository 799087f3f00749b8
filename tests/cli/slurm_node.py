"""A Slurm of one node, in a folder, for tests: Debian's slurm-wlm and munge."""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

from patience import HANGS

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scontrol",
            "scancel")

CONFIGURATION = """\
ClusterName=warpstep
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
SlurmctldPort={port}
SlurmdPort={second_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=2
ReturnToService=2
SlurmdTimeout=10
KillWait=2
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP PriorityTier=1 GraceTime=1
PartitionName=urgent Nodes={host} MaxTime=INFINITE State=UP PriorityTier=2
"""


def find(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def why_not():
    """Why there can be no Slurm here, or None."""
    missing = [name for name in PROGRAMS if find(name) is None]
    if missing:
        return f"not installed (Debian packages slurm-wlm and munge): {', '.join(missing)}"
    return None


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Node:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.host = socket.gethostname().split(".")[0]
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        self.running = {}
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, host=self.host, user=pwd.getpwuid(os.getuid()).pw_name,
            port=free_port(), second_port=free_port()))

    def start(self, name, *arguments):
        with open(self.folder / f"{name}.out", "ab") as output:
            self.running[name] = subprocess.Popen([find(name), *arguments], env=self.environment,
                                                  stdin=subprocess.DEVNULL, stdout=output,
                                                  stderr=output, start_new_session=True)

    def start_node(self):
        self.start("slurmd", "-D", "-f", str(self.folder / "slurm.conf"))

    def begin(self):
        """Why it did not come up, or None."""
        part = lambda name: str(self.folder / f"munge.{name}")
        self.start("munged", "--foreground", "--force", "--key-file", part("key"), "--socket",
                   part("socket"), "--pid-file", part("pid"), "--seed-file", part("seed"),
                   "--log-file", part("log"))
        time.sleep(0.5)
        self.start("slurmctld", "-D", "-f", str(self.folder / "slurm.conf"))
        self.start_node()
        for _ in range(100):
            if "idle" in self.ask("sinfo", "-h", "-o", "%T"):
                return None
            time.sleep(0.3)
        logs = [(self.folder / f"{name}.out").read_text()[-300:] for name in self.running]
        return "Slurm does not start here: " + " | ".join(logs)

    def ask(self, name, *arguments):
        return subprocess.run([find(name), *arguments], env=self.environment, text=True,
                              capture_output=True, timeout=HANGS).stdout

    def jobs(self):
        return self.ask("squeue", "-h", "-o", "%T").split()

    def processes(self):
        """Of this Slurm and its jobs: all know the folder by their environment."""
        keep = {process.pid for name, process in self.running.items() if name != "slurmd"}
        mark = f"SLURM_CONF={self.folder}/slurm.conf".encode()
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) in keep | {os.getpid()}:
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)
            except OSError:
                pass

    def kill_node(self):
        """As when a machine goes down: the node's daemon and all that runs on it, at once."""
        for process in list(self.processes()):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.running.pop("slurmd").wait()

    def end(self):
        for process in reversed(list(self.running.values())):
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
