# Runs one redis-server for one JVM, and sees to it that the server never outlives that JVM.
#
#   sh -c "<this text>" redis-wrapper WORK_DIRECTORY SERVER ARGUMENT...
#
# The JVM holds the other end of standard input. Its end, also by SIGKILL, is an end of file here.
# Standard output belongs to the server alone: its end of file tells the JVM that the server is dead.
# Answers go to standard error. This shell alone waits for the server, so that until "reap" the
# server's process id cannot become that of another process.
#
#   signal NAME   sends a signal      "ok" | "gone"
#   reap          waits for the end   "exit STATUS"
#   keep          leaves the work directory to another wrapper   "ok"
trap '' HUP INT TERM QUIT
work=$1
shift
"$@" </dev/null 2>&1 &
child=$!
exec 1>&2
echo "pid $child"
while read -r word argument; do
    case $word in
    signal)
        if [ -n "$child" ] && kill -s "$argument" "$child"; then echo ok; else echo gone; fi
        ;;
    reap)
        wait "$child"
        echo "exit $?"
        child=
        ;;
    keep)
        work=
        echo ok
        ;;
    esac
done
# The JVM may be gone: to write to it, as a shell does about a killed child, would end this shell too early.
exec >/dev/null 2>&1
if [ -n "$child" ]; then
    kill -s KILL "$child"
    wait "$child"
fi
if [ -n "$work" ]; then
    rm -rf -- "$work"
fi
