# Guards COMMAND. Standard input is a pipe that only leasehold writes to, so its end is a message, too:
#   child PID    COMMAND has started
#   signal NAME  leasehold received this signal. It is passed on, unless this shell received it, too: then the whole
#                process group received it, including COMMAND (Ctrl-C, timeout(1), kill -TERM -PGID)
#   done         COMMAND has ended: this shell exits
#   end of file  leasehold has ended or has lost the lease: COMMAND and its descendants are ended
# $1: 32 random digits, in the environment of COMMAND as LEASEHOLD_RUN. $2: tenths of a second from SIGTERM to SIGKILL.
id=$1 grace=$2
root= got_HUP= got_INT= got_TERM= got_USR1= got_USR2=

for signal in HUP INT TERM USR1 USR2; do
    trap "interrupted=1 got_$signal=1" "$signal"
done

# Sets $start to the start time of the process $1, which detects a reused id; empty if the process has ended.
started() {
    start=
    if [ -d /proc/self ]; then
        { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
        set -- ${stat##*) }
        [ "$1" = Z ] || start=${20}
    elif kill -0 "$1" 2>/dev/null; then
        start=0
    fi
}

# Sets $alive to those "PID:START" in $* that still run.
living() {
    alive=
    for one; do
        started "${one%:*}"
        [ -z "$start" ] || [ "$start" != "${one#*:}" ] || alive="$alive $one"
    done
}

# Prints "PID PARENT START" of every process.
processes() {
    if [ ! -d /proc/self ]; then
        ps -A -o pid= -o ppid= | sed 's/$/ 0/'
        return
    fi
    for file in /proc/[0-9]*/stat; do
        { IFS= read -r stat <"$file"; } 2>/dev/null || continue
        pid=${file#/proc/}
        set -- ${stat##*) }
        echo "${pid%/stat} $2 ${20}"
    done
}

# Prints "PID:START" of $* and all descendants, parents first: a shell must not continue when its child dies.
tree() {
    processes | awk -v roots="$*" '
        { start[$1] = $3; children[$2] = children[$2] " " $1 }
        END {
            n = split(roots, queue, " ")
            for (i = 1; i <= n; i++) {
                sub(/:.*/, "", queue[i])
                print queue[i] ":" start[queue[i]]
                m = split(children[queue[i]], more, " ")
                for (j = 1; j <= m; j++) queue[++n] = more[j]
            }
        }'
}

# Sends the signal $1 to the "PID:START" in the rest.
send() {
    signal=$1
    shift
    living "$@"
    for one in $alive; do
        kill -s "$signal" "${one%:*}" 2>/dev/null
    done
}

# Waits until none of the "PID:START" in the rest runs, at most $1 tenths of a second.
await() {
    ticks=$1
    shift
    living "$@"
    while [ -n "$alive" ] && [ "$ticks" -gt 0 ]; do
        sleep 0.1
        ticks=$((ticks - 1))
        living $alive
    done
}

pass_on() {
    eval "got=\$got_$1 got_$1="
    [ -n "$got" ] || send "$1" "$root"
}

while :; do
    interrupted=
    if read -r word value; then
        case $word in
            child) started "$value" && root=$value:$start ;;
            signal) pass_on "$value" ;;
            done) exit 0 ;;
        esac
    elif [ -z "$interrupted" ]; then
        break
    fi
done

# Killed between starting COMMAND and sending its id: its environment identifies it, where there is a /proc.
tries=20
case $id in
    # A shorter id might be in the environment of other processes.
    *[!0-9a-f]*) tries=0 ;;
    ????????????????????????????????) ;;
    *) tries=0 ;;
esac
while [ -z "$root" ] && [ "$tries" -gt 0 ] && [ -d /proc/self ]; do
    for file in $(grep -lF -- "LEASEHOLD_RUN=$id" /proc/[0-9]*/environ 2>/dev/null); do
        pid=${file#/proc/}
        started "${pid%/environ}"
        root="$root ${pid%/environ}:$start"
    done
    [ -n "$root" ] || sleep 0.1
    tries=$((tries - 1))
done

living $root
[ -n "$alive" ] || exit 0
targets=$(tree $alive)
send TERM $targets
send CONT $targets
await "$grace" $targets
[ -n "$alive" ] || exit 0
targets=$(tree $alive)
send KILL $targets
await 50 $targets
