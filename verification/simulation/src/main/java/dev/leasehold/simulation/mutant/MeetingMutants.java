package dev.leasehold.simulation.mutant;

import java.util.List;

/** Deliberate bugs that show only where two features meet, in seeds that draw each feature for itself. */
final class MeetingMutants {

    private MeetingMutants() {}

    static List<Mutant> all() {
        return List.of(
                mutant(
                        "a release frees the lock before its minimum hold is over",
                        40_000_002,
                        "MinimumHold.java",
                        "least.toNanos() - (now - record.grantedAt())",
                        "0"),
                mutant(
                        "a lease is handed off before its minimum hold is over",
                        40_000_043,
                        "ReleaseOperation.java",
                        "handOff.checkNow() && mayEnd;",
                        "handOff.checkNow();"),
                mutant(
                        "a waiter without an answer asks again only after 3 s",
                        40_000_006,
                        "AcquireTiming.java",
                        "pauseUntil = schedule.retryAfterFailure(now, failures);",
                        "pauseUntil = now + Math.min(schedule.deadline() - now, 3_000_000_000L);"),
                mutant(
                        "a forced release takes effect after its caller gave up",
                        40_000_076,
                        "force_release.lua",
                        "if now > tonumber(ARGV[1]) then",
                        "if false then"),
                mutant(
                        "a change of the number of permits takes effect after its caller gave up",
                        40_000_082,
                        "change_permits.lua",
                        "if now > tonumber(ARGV[2]) then",
                        "if false then"),
                mutant(
                        "a request counts the permits that its client expects, not those that there are",
                        40_000_020,
                        "semaphore.lua",
                        "local total = number_of_permits(found or expected)",
                        "local total = number_of_permits(expected)"),
                mutant(
                        "a downgrade forgets the token of the readers whom its client has let in",
                        40_000_068,
                        "downgrade.lua",
                        "  write('tok', given)\n",
                        "  redis.call('HDEL', key, 'tok')\n"),
                mutant(
                        "a reader that joins others has a token of its own",
                        40_000_018,
                        "attempt.lua",
                        "if attempt.live > 0 and attempt.floor <= attempt.last then",
                        "if attempt.live > 0 and not attempt.reads and attempt.floor <= attempt.last then"),
                mutant(
                        "a downgrade whose caller gave up is not given back",
                        40_000_193,
                        "DowngradeOperation.java",
                        "            termination.giveBack(reader);\n        } else",
                        "        } else"),
                mutant(
                        "a caller that waited for less than 500 ms does not report that it gave up",
                        40_000_005,
                        "PendingRequest.java",
                        "Doubtable.giveUp(future);",
                        "if (timeoutNanos >= 500_000_000L) Doubtable.giveUp(future);"),
                mutant(
                        "the export of a lease that uses a retained hold does not extend it",
                        40_000_020,
                        "LeaseExports.java",
                        "                extensions.renewIfOverdue(record);\n",
                        ""),
                mutant(
                        "a hold that ended after its holder had released it counts as lost",
                        40_000_013,
                        "ReleaseAttempts.java",
                        "calledInTime = inTime(now, surplus);",
                        "calledInTime = false;"),
                mutant(
                        "the late answer to an extension is dropped",
                        40_100_936,
                        "RenewOperation.java",
                        "late -> judge.apply(record, late, sent)",
                        "late -> {}"));
    }

    private static Mutant mutant(String name, long seed, String file, String find, String replace) {
        return new Mutant(name, seed, 1, List.of(new Edit(file, find, replace)));
    }
}
