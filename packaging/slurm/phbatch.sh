#!/bin/sh
set -eu
array=$(sbatch --parsable <<'TASK'
#!/bin/sh
#SBATCH --job-name=phbatch-00000000
#SBATCH --array=0-15
#SBATCH --cpus-per-task=1
#SBATCH --mem=256M
#SBATCH --time=11
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
again() {
  if [ "${SLURM_RESTART_COUNT:-0}" -lt "$2" ]; then
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" && exit 0
  fi
  exit "$1"
}
stopped=
child=
stop() { stopped=$1; [ -z "$child" ] || kill -TERM "$child"; }
trap 'stop time' USR1
trap 'stop user' TERM
phbatch run --plan /srv/photos/web.plan --shard auto --jobs 1 --memory 230M --quiet & child=$!
[ -z "$stopped" ] || { sleep 1; stop "$stopped"; }
wait "$child"; code=$?
while [ -n "$stopped" ] && kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
case "$stopped:$code" in
  *:0|*:3|*:4) exit 0 ;;
  user:*) exit "$code" ;;
  :75) again "$code" 5040 ;;
  time:*|:12[89]|:1[3-9][0-9]) again "$code" 5 ;;
  *) exit "$code" ;;
esac
TASK
)
sbatch --parsable --dependency="afterany:${array%%;*}" <<'MERGE'
#!/bin/sh
#SBATCH --job-name=phbatch-00000000-merge
#SBATCH --cpus-per-task=1
#SBATCH --mem=2048M
#SBATCH --time=11
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
again() {
  if [ "${SLURM_RESTART_COUNT:-0}" -lt "$2" ]; then
    scontrol requeue "$SLURM_JOB_ID" && exit 0
  fi
  exit "$1"
}
stopped=
child=
stop() { stopped=$1; [ -z "$child" ] || kill -TERM "$child"; }
trap 'stop time' USR1
trap 'stop user' TERM
phbatch merge /srv/photos/web.plan --wait 60 & child=$!
[ -z "$stopped" ] || { sleep 1; stop "$stopped"; }
wait "$child"; code=$?
while [ -n "$stopped" ] && kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
case "$stopped:$code" in
  *:0|*:3|*:4) exit "$code" ;;
  user:*) exit "$code" ;;
  :75) again "$code" 3360 ;;
  time:*|:12[89]|:1[3-9][0-9]) again "$code" 5 ;;
  *) exit "$code" ;;
esac
MERGE
