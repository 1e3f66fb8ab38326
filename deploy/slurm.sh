#!/usr/bin/env bash
# Workers on a Slurm cluster, for a NATS server that all nodes reach:
#   sbatch --export=ALL,LARIAT_ON=nats://HOST:4222 deploy/slurm.sh
# The server can be anywhere: nats-server --jetstream --store_dir DIR
#SBATCH --job-name=lariat-worker
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --mem=16G
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@30
#SBATCH --requeue
set -euo pipefail
: "${LARIAT_ON:?the address of the NATS server}"
# One job for each core. Slurm's SIGTERM, half a minute before the end, gives the tasks back.
exec srun lariat worker --on "$LARIAT_ON" --jobs "${SLURM_CPUS_PER_TASK:-1}" --memory-limit 3500M
