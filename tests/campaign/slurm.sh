#!/usr/bin/env bash
# slurm.sh MMASPEC SCRIPTS: a campaign of 64 tasks on a local Slurm cluster, 20 of which are killed
# by scancel, by kill -9 and with the node's daemon: the merged result must equal that of one
# process, byte for byte.
#
# Run by `scripts/test --all`, which installs Slurm; needs root, as slurmd does, and no systemd.
set -u
mmaspec=$(realpath "$1")
scripts=$(realpath "$2")
readonly tasks=64

skip() {
  echo "skipped: $*"
  exit 0
}
[[ -n ${MMASPEC_LARGE_TESTS:-} ]] || skip "a Slurm cluster is started by scripts/test --all alone"
((EUID == 0)) || skip "slurmd needs root"
for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || skip "there is no $program"
done

work=$(mktemp -d)
daemons=()
stop() {
  scancel --user=root --quiet 2>/dev/null
  kill "${daemons[@]}" 2>/dev/null
  wait 2>/dev/null
  [[ -n ${KEEP:-} ]] || rm -rf "$work"
}
trap stop EXIT
fail() {
  echo "FAILED: $*"
  tail -n 20 "$work"/*.log "$work"/campaign/log/* 2>/dev/null | tail -n 120
  exit 1
}

# A separate munged and cluster: those of the machine are not touched.
chmod 755 "$work"
mkdir "$work/state" "$work/spool" "$work/munge"
head -c 1024 /dev/urandom >"$work/munge.key"
chmod 400 "$work/munge.key"
munged --force --foreground --key-file="$work/munge.key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
daemons+=($!)
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }
host=$(hostname -s)
export SLURM_CONF=$work/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=mmaspec
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=5,batch_sched_delay=0
ReturnToService=2
SlurmdTimeout=30
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
for ((i = 0; i < 50; ++i)); do
  [[ -S $work/munge/socket ]] && break
  sleep 0.2
done
slurmctld -D >"$work/slurmctld.log" 2>&1 &
daemons+=($!)
start_node() {
  slurmd -D >>"$work/slurmd.log" 2>&1 &
  node=$!
  daemons+=("$node")
}
start_node
for ((i = 0; i < 60; ++i)); do
  [[ $(sinfo --noheader --format=%t 2>/dev/null) == idle ]] && break
  sleep 1
done
[[ $(sinfo --noheader --format=%t) == idle ]] || fail "the node does not come up"

names=(volta cdna1)
# Tasks that take long enough to be killed: a shell in place of the program waits first.
cat >"$work/slow" <<END
#!/bin/bash
[[ \$1 == merge ]] || sleep 1
exec "$mmaspec" "\$@"
END
chmod +x "$work/slow"

cd "$work" || exit 1
MMASPEC=$work/slow "$scripts/submit" campaign "$tasks" matrix "${names[@]}" --timeout 20 || fail "submit"

# Only those of this cluster: their command lines name its folder.
one_of() { pgrep -f -- "$1" | head -n 1; }
by_scancel=0 by_kill=0 by_shell=0 by_daemon=0
killed() { echo $((by_scancel + by_kill + by_shell + by_daemon)); }
while (($(killed) < 20)) && [[ -n $(squeue --noheader) ]]; do
  case $(($(killed) % 5)) in
    0 | 2) # a user's cancel, after which Slurm does not requeue
      job=$(squeue --noheader --array --states=RUNNING --format=%i | grep -m 1 _)
      [[ -n $job ]] && scancel "$job" && ((++by_scancel))
      ;;
    1 | 3) # only the program: its shell asks for a requeue
      pid=$(one_of "^[^ ]*bash $work/slow .*--results $work/campaign/shard-") && kill -9 "$pid" 2>/dev/null && ((++by_kill))
      ;;
    4)
      if ((by_daemon == 0)); then # running tasks continue or are requeued, as Slurm decides
        { kill -9 "$node" && wait "$node"; } 2>/dev/null
        sleep 1
        start_node
        ((++by_daemon))
      else # the task's shell, so that nothing remains that could ask for a requeue
        pid=$(one_of "$work/spool/.*slurm_script") && kill -9 "$pid" 2>/dev/null && ((++by_shell))
      fi
      ;;
  esac
  sleep 0.3
done
(($(killed) == 20)) || fail "only $(killed) tasks could be killed"
echo "killed: $by_scancel by scancel, $by_kill by kill -9, $by_shell with their shells, the node's daemon $by_daemon time"

for ((i = 0; i < 900; ++i)); do
  [[ -e campaign/results.jsonl ]] && break
  # Slurm delays a requeued job by two minutes.
  for job in $(squeue --noheader --array --states=PENDING --format='%i %r' | sed -n 's/ BeginTime$//p'); do
    scontrol update JobId="$job" StartTime=now
  done
  sleep 1
done
[[ -e campaign/results.jsonl ]] || fail "the campaign does not end"

"$mmaspec" matrix "${names[@]}" --timeout 20 --results one.jsonl >/dev/null
(($? == 0 || $? == 3)) || fail "one process"
"$mmaspec" merge one.jsonl --out one-merged.jsonl || fail "merge"
cmp campaign/results.jsonl one-merged.jsonl || fail "the campaign's results are not those of one process"
echo "$(wc -l <one-merged.jsonl) rows, byte for byte those of one process"
