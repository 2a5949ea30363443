/*
 * A clock of its own for one process, for tests of what a promoted replica does whose clock is not that of its primary, and
 * of what a client does whose wall clock jumps.
 *
 * Loaded by LD_PRELOAD before a dynamically linked redis-server (a static one ignores it) or a JVM, it takes the place of
 * gettimeofday() and time(), by which Redis knows the wall clock, and of clock_gettime(), by which a JVM does, and adds to
 * them what the test has written into a file: a long long, microseconds, in the byte order of the machine. The file is
 * mapped, so that a change counts at once. Monotonic clocks are left alone, and so is what the kernel waits for.
 *
 * CLOCKSHIM_DIRECTORY names a directory, in which each process makes a file named by its process id. Without it, or
 * without a file there, the clock is that of the machine.
 *
 *   gcc -shared -fPIC -O1 -o clockshim.so clockshim.c
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long long *offset;

static long long micros_ahead(void) {
    static int begun;
    if (!begun) {
        begun = 1;
        const char *directory = getenv("CLOCKSHIM_DIRECTORY");
        char path[4096];
        int length = directory ? snprintf(path, sizeof path, "%s/%ld", directory, (long) getpid()) : -1;
        int file = length > 0 && length < (int) sizeof path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
        if (file >= 0) {
            if (ftruncate(file, sizeof *offset) == 0) {
                void *mapped = mmap(0, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
                if (mapped != MAP_FAILED) {
                    offset = mapped;
                }
            }
            close(file);
        }
    }
    return offset ? *offset : 0;
}

int gettimeofday(struct timeval *tv, void *tz) {
    struct timespec now;
    (void) tz;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    long long micros = now.tv_sec * 1000000LL + now.tv_nsec / 1000 + micros_ahead();
    tv->tv_sec = micros / 1000000;
    tv->tv_usec = micros % 1000000;
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        long long nanos = now->tv_nsec + micros_ahead() * 1000LL;
        long long seconds = nanos / 1000000000 - (nanos % 1000000000 < 0);
        now->tv_sec += seconds;
        now->tv_nsec = nanos - seconds * 1000000000;
    }
    return failed;
}

time_t time(time_t *t) {
    struct timeval tv;
    gettimeofday(&tv, 0);
    if (t) {
        *t = tv.tv_sec;
    }
    return tv.tv_sec;
}
