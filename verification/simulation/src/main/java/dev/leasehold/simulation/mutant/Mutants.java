package dev.leasehold.simulation.mutant;

import java.util.ArrayList;
import java.util.List;

/** All deliberate bugs, and one harmless change. */
public final class Mutants {

    /** No bug: the transition table reports the edges that are taken. */
    public static final List<Edit> OBSERVED = List.of(new Edit(
            "Transitions.java",
            "LeaseState next(LeaseState state, LeaseEvent event) {",
            "LeaseState next(LeaseState state, LeaseEvent event) {"
                    + " dev.leasehold.simulation.Edges.met(state, event);"));

    private Mutants() {}

    /** Returns all mutants. */
    public static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>(scripts());
        all.addAll(usualCase());
        all.addAll(engine());
        all.addAll(waiting());
        all.addAll(handOff());
        all.addAll(readers());
        all.addAll(permits());
        all.addAll(plain());
        all.addAll(several());
        all.addAll(latches());
        all.addAll(election());
        all.addAll(exports());
        all.addAll(requests());
        all.addAll(retention());
        all.addAll(combining());
        all.addAll(ServerMutants.replicas());
        all.addAll(ServerMutants.quorum());
        all.addAll(MeetingMutants.all());
        return all;
    }

    private static List<Mutant> retention() {
        return List.of(
                lua(
                        "a client that retains a lock is never asked for it",
                        1_000_150,
                        1,
                        "retained.lua",
                        "  if channel then",
                        "  if false then"),
                java(
                        "a client that is asked for a lock releases it only when its time is over",
                        1_000_038,
                        1,
                        "RetainedHolds.java",
                        "        if (hold != null) {\n            hold.ask();\n            giveUp(hold);",
                        "        if (hold != null && key == null) {\n            hold.ask();\n            giveUp(hold);"),
                java(
                        "two leases of a retained hold have the same token",
                        1_000_038,
                        1,
                        "RetainedHold.java",
                        "        return nextToken++;",
                        "        return nextToken;"),
                java(
                        "a retained hold is taken over after its end",
                        1_000_070,
                        1,
                        "RetainedHold.java",
                        "                && last.validUntil - disagreement - now >= retainNanos / LEAST_PART;",
                        "                ;"),
                java(
                        "a lease of a retained hold counts from its take-over, not from Redis' confirmation",
                        1_000_006,
                        1,
                        "RetainedHold.java",
                        "process, token, now, last.end, last.validUntil, last.surplusAtConfirm));",
                        "process, token, now, now + retainNanos, now + retainNanos, surplus));"));
    }

    private static List<Mutant> plain() {
        return List.of(
                lua(
                        "a plain key is deleted by any caller that releases",
                        1,
                        20,
                        "lone_hold.lua",
                        "  if not is_of(value, id) then" + GONE + "  redis.call('DEL'",
                        "  if not value then" + GONE + "  redis.call('DEL'"),
                lua(
                        "a plain key is renewed for any holder",
                        41,
                        1,
                        "lone_hold.lua",
                        "  if not is_of(value, id) then" + GONE + "  local left",
                        "  if not value then" + GONE + "  local left"));
    }

    private static List<Mutant> several() {
        return List.of(
                java(
                        "a half-acquired set of locks stays held",
                        1_000_011,
                        1,
                        "MultiAcquisition.java",
                        "                termination.giveBack(record);",
                        "                record.gather();"),
                java(
                        "a set of locks is reported as held though one ended while the machine slept",
                        1_013_096,
                        1,
                        "MultiAcquisition.java",
                        " || (all && !validity.valid(record))) {",
                        ") {"));
    }

    private static List<Mutant> latches() {
        return List.of(
                lua(
                        "a count-down is counted as often as it is sent",
                        1_000_005,
                        1,
                        "latch_count_down.lua",
                        "if redis.call('HGET', key, 'd:' .. ARGV[1]) then",
                        "if false then"),
                lua(
                        "no waiter is woken when a latch is reached",
                        1_000_005,
                        1,
                        "latch_count_down.lua",
                        "for position = 1, left == 0 and latch.waiting or 0 do",
                        "for position = 1, 0 do"),
                lua(
                        "a count-down that arrives too late is counted",
                        1_000_029,
                        1,
                        "latch_count_down.lua",
                        "if now > tonumber(ARGV[2]) then",
                        "if false then"),
                java(
                        "a waiter for the next latch of this name passes with the previous one",
                        1_000_957,
                        1,
                        "LatchWaiters.java",
                        "group.waiters.forEach(waiter -> waiter.reached(sentAt));",
                        "group.waiters.forEach(waiter -> waiter.reached(time.nanoTime()));"),
                lua(
                        "a call of one round concerns another",
                        40_200_000,
                        1,
                        "part/latch.lua",
                        "  if not latch or not round or round == EITHER or text(latch.number) == round then",
                        "  if true then"),
                lua(
                        "a round that nobody set is reached",
                        40_200_000,
                        1,
                        "part/latch.lua",
                        "return latch.first <= asked and asked < latch.number",
                        "return asked < latch.number"),
                lua(
                        "a round is set while one before it counts",
                        40_200_000,
                        1,
                        "latch_set.lua",
                        "latch.count ~= '0' or tonumber(round) < latch.number",
                        "tonumber(round) < latch.number"));
    }

    private static List<Mutant> election() {
        return List.of(
                java(
                        "a leader releases before it notifies",
                        1_000_023,
                        1,
                        "Candidate.java",
                        "        LOG.info(\"gives up its term by {}: {}\", lock, reason);",
                        "        CompletionStage<Void> early = term.lease.releaseAsync();"),
                java(
                        "a deposed leader ceases to be a candidate",
                        1_000_295,
                        1,
                        "Candidate.java",
                        "DemotionReason.LOST));\n        stand();",
                        "DemotionReason.LOST));"),
                java(
                        "a leader is not notified that its lease is lost",
                        1_000_007,
                        1,
                        "Candidate.java",
                        "        lease.onLost(loss -> signal(() -> lost(term)));",
                        ""));
    }

    private static List<Mutant> exports() {
        return List.of(
                lua(
                        "the former holder keeps its hold after a resume",
                        1_000_003,
                        1,
                        "resume.lua",
                        "ended[#ended + 1] = former",
                        ""),
                lua(
                        "the resumed lease has the token of the former",
                        1_000_003,
                        1,
                        "resume.lua",
                        "local token, refusal = next_token(last, tonumber(ARGV[7]))",
                        "local token, refusal = last, nil"),
                java(
                        "a hold of a resume without an answer is not released",
                        1_000_030,
                        1,
                        "ResumeOperation.java",
                        "            termination.compensate(record, openUntil);",
                        ""),
                java(
                        "an exported lease is handed off",
                        1_000_046,
                        1,
                        "HandOff.java",
                        "                && !record.exported()",
                        ""));
    }

    private static List<Mutant> requests() {
        return List.of(
                lua(
                        "a release request reaches any next holder",
                        1_000_016,
                        1,
                        "renewal.lua",
                        "if fields[7] and fields[7] == fields[2] then",
                        "if fields[7] then"),
                new Mutant(
                        "a release request is reported at each renewal",
                        1_000_048,
                        1,
                        List.of(
                                new Edit(
                                        "LossNotice.java",
                                        "            if (request != null || event != null || released) {",
                                        "            if (event != null || released) {"),
                                new Edit("LossNotice.java", "            requestListeners = null;\n", ""))),
                java(
                        "a holder does not receive a release request",
                        1_000_048,
                        1,
                        "RenewalJudge.java",
                        "                events.releaseRequested(record);\n",
                        ""));
    }

    private static List<Mutant> combining() {
        return List.of(
                java(
                        "an entry of a common call takes the answer of another",
                        1_000_009,
                        60,
                        "Batch.java",
                        "acquiring.get(n).answered(answer.acquired().get(n));",
                        "acquiring.get(n).answered(answer.acquired().get(0));"),
                java(
                        "the entries of a common call are sent again though they may have run",
                        1_000_569,
                        1,
                        "CombiningStore.java",
                        "} else if (failure instanceof RedisErrorException) {",
                        "} else if (failure != null) {"),
                new Mutant(
                        "a release that a common call left undecided counts as released",
                        1_000_009,
                        60,
                        List.of(
                                new Edit(
                                        "CombinedScript.java",
                                        "case \"undecided\" -> Optional.empty();",
                                        "case \"undecided\" -> Optional.of(new ReleaseHold.Answer("
                                                + "ReleaseHold.Code.RELEASED, now, \"\"));"),
                                // No release is usual, so that a simulation meets it often.
                                new Edit("combined.lua", "  -- include: usual_release\n", ""))),
                lua(
                        "an acquisition of a common call that raises an error counts as granted",
                        1_000_009,
                        60,
                        "combined.lua",
                        "if ran and type(reply) == 'string' then",
                        "if not ran or type(reply) == 'string' then"));
    }

    private static Mutant lua(String name, long from, int within, String file, String find, String replace) {
        return new Mutant(name, from, within, List.of(new Edit(file, find, replace)));
    }

    /** What a script answers that finds no hold of the acquisition. */
    private static final String GONE = "\n    return 'gone', value and 'taken' or 'free'\n  end\n";

    /** No client tries the script for a free lock. Such mutants are about what happens after several requests for a lock. */
    private static final Edit NEVER_IF_FREE =
            new Edit("RecentContention.java", "return until != null && now - until < 0;", "return true;");

    /** Every acquisition of a lock as a whole tries that script first. */
    private static final Edit ALWAYS_IF_FREE =
            new Edit("RecentContention.java", "return until != null && now - until < 0;", "return false;");

    /** Every release tries the usual case first, so that a simulation meets it often. */
    private static final Edit ALWAYS_USUAL = new Edit("ReleaseScript.java", "request.lean()", "true");

    /** A mutant of the Java code in which no client tries the script for a free lock. */
    private static Mutant inFull(String name, long from, int within, String file, String find, String replace) {
        return new Mutant(name, from, within, List.of(new Edit(file, find, replace), NEVER_IF_FREE));
    }

    /** A mutant in which no client uses the script for a free lock, so that another script decides always. */
    private static Mutant alwaysInFull(String name, long from, int within, String file, String find, String replace) {
        return new Mutant(
                name,
                from,
                within,
                List.of(
                        new Edit(file, find, replace),
                        new Edit("acquire_free.lua", "if own or now_text > ARGV[3]", "if true or now_text > ARGV[3]")));
    }

    private static Mutant java(String name, long from, int within, String file, String find, String replace) {
        return new Mutant(name, from, within, List.of(new Edit(file, find, replace)));
    }

    private static List<Mutant> scripts() {
        return List.of(
                lua(
                        "release without owner check",
                        1,
                        20,
                        "release.lua",
                        "local own, hold = fields[3], fields[4]\n",
                        """
                        local own, hold = fields[3], fields[4]
                        if own and not hold then
                          redis.call('HDEL', key, 'h:' .. own, 'own')
                          return {'released', now_text}
                        end
                        """),
                lua("no acquisition id", 1, 50, "attempt.lua", "if fields[4] then", "if false then"),
                alwaysInFull(
                        "no notAfter",
                        10,
                        1,
                        "attempt.lua",
                        "if now > tonumber(args[3]) or fields[5] then",
                        "if fields[5] then"),
                alwaysInFull(
                        "token by plain INCR", 1, 50, "token.lua", "math.max(last + 1, now, floor + 1)", "last + 1"),
                lua(
                        "renewal by name: for any current holder",
                        1_000_003,
                        1,
                        "renewal.lua",
                        "local fields =",
                        "id = redis.call('HGET', key, 'own') or id\n  local fields ="),
                lua(
                        "a named owner is not identified",
                        1,
                        20,
                        "named.lua",
                        "if attempt.live > 0 and attempt.own ~= attempt.owner then",
                        "if false then"),
                lua(
                        "release frees although another hold lives",
                        1,
                        50,
                        "release.lua",
                        "if live == 0 then\n  redis.call('HDEL', key, 'own'",
                        "if true then\n  redis.call('HDEL', key, 'own'"),
                new Mutant(
                        "renewal shortens",
                        5,
                        1,
                        List.of(
                                new Edit("renewal.lua", "math.max(ends, now + asked)", "now + asked"),
                                new Edit("renewal.lua", "if renewed > ends then", "if true then"))),
                lua("no tombstone", 1, 100, "release.lua", "fields[1] and not_after >= now", "false"),
                new Mutant(
                        "the key expires before its last token",
                        17,
                        1,
                        List.of(
                                new Edit("attempt.lua", "keep(math.max(micros, attempt.last),", "keep(micros,"),
                                new Edit("release.lua", "readable_token(fields[2]) or 0", "0"))),
                lua(
                        "an owner joins an older hold whatever its client has seen",
                        2_170,
                        1,
                        "attempt.lua",
                        "if attempt.live > 0 and attempt.floor <= attempt.last then",
                        "if attempt.live > 0 then"),
                lua("no healing", 1, 50, "hold.lua", "if begins > now then", "if false then"));
    }

    /** The scripts that begin with the usual case: a free lock, a sole hold. */
    private static List<Mutant> usualCase() {
        return List.of(
                new Mutant(
                        "a free lock is acquired by a request that is late",
                        40_000_047,
                        1,
                        List.of(
                                new Edit(
                                        "acquire_free.lua",
                                        "or now_text > ARGV[3] or fields[2] and now_text <= fields[2]",
                                        "or fields[2] and now_text <= fields[2]"),
                                ALWAYS_IF_FREE)),
                lua(
                        "a free lock is acquired despite a tombstone",
                        87,
                        200,
                        "acquire_free.lua",
                        "or unusual[2] or unusual[3]",
                        "or unusual[3]"),
                new Mutant(
                        "a free lock is acquired past the waiters for it",
                        1_000_003,
                        1,
                        List.of(
                                new Edit("acquire_free.lua", "or unusual[2] or unusual[3]", "or unusual[2]"),
                                ALWAYS_IF_FREE)),
                lua(
                        "the token of a free lock may be lower than the last",
                        17,
                        200,
                        "acquire_free.lua",
                        "or fields[2] and now_text <= fields[2] or",
                        "or"),
                lua(
                        "the expiry set ahead is believed in any state of the lock",
                        1_000_001,
                        200,
                        "expiry.lua",
                        "  redis.call('HDEL', key, 'ex')\n",
                        ""),
                new Mutant(
                        "renewals never set the expiry again",
                        1_000_250,
                        200,
                        List.of(
                                new Edit("renew_many.lua", "ex >= enough and", "true and"),
                                new Edit(
                                        "RenewManyScript.java",
                                        "return request.entries().size() == 1 && !confirms(request);",
                                        "return false;"))),
                lua(
                        "a held lock counts as free",
                        1,
                        20,
                        "acquire_free.lua",
                        "if own and own ~= id then\n",
                        "own = nil\nif own and own ~= id then\n"),
                new Mutant(
                        "the usual release is that of any caller",
                        1_000_002,
                        1,
                        List.of(
                                new Edit(
                                        "usual_release.lua",
                                        "usual[1] == id and not usual[2]",
                                        "usual[1] and not usual[2]"),
                                ALWAYS_USUAL)),
                new Mutant(
                        "the usual release wakes no waiter",
                        12,
                        20,
                        List.of(
                                new Edit("usual_release.lua", "usual[1] == id and not usual[2]", "usual[1] == id"),
                                ALWAYS_USUAL)));
    }

    private static List<Mutant> engine() {
        return List.of(
                java(
                        "deadline counted from the reply",
                        1,
                        20,
                        "RequestedHold.java",
                        "record.granted(answer.token(), sentAt,",
                        "record.granted(answer.token(), now,"),
                java(
                        "renewal counted from its reply",
                        1_000_039,
                        1,
                        "RenewalRequest.java",
                        "new RenewalJudge.Sent(sentAt,",
                        "new RenewalJudge.Sent(context.now(),"),
                java(
                        "renewal answer \"not mine\" ignored",
                        1,
                        100,
                        "RenewalJudge.java",
                        "denied(record, LeaseTermination.causeOf(answer.detail()), null);",
                        "record.holding();"),
                java(
                        "a check that finds no hold is ignored",
                        1_000_011,
                        1,
                        "RenewalJudge.java",
                        "case GONE, FOREIGN, ENDED -> missing(record, answer);\n        }\n    }",
                        "case GONE, FOREIGN, ENDED -> {}\n        }\n    }"),
                java(
                        "a change during the rest of its key is forgotten",
                        1_000_396,
                        1,
                        "ChangedKeys.java",
                        "if (!recent.remove(key, State.CHECKED)) {",
                        "if (recent.remove(key) == null) {"),
                java(
                        "late acquire not compensated",
                        7,
                        1,
                        "RequestedHold.java",
                        "termination.compensate(record, openUntil);",
                        ""),
                new Mutant(
                        "a refusal is taken for the answer to all copies",
                        1165,
                        1,
                        List.of(
                                new Edit(
                                        "RequestedHold.java",
                                        "if (!context.atMostOnce()) {\n            openUntil = openUntil.orLater(notAfter);",
                                        "if (context.closed()) {\n            openUntil = openUntil.orLater(notAfter);"),
                                new Edit(
                                        "RequestContext.java",
                                        " || (failure instanceof RedisErrorException && !atMostOnce())",
                                        ""))),
                java(
                        "an earlier hold of the same acquisition is forgotten",
                        95_929,
                        1,
                        "RequestedHold.java",
                        "return openUntil.micros() > 0 || leftBehind;",
                        "return openUntil.micros() > 0;"),
                new Mutant(
                        "copies are expected until the end of the last one sent",
                        3888,
                        1,
                        List.of(
                                new Edit(
                                        "RequestedHold.java",
                                        "record.sent().copyUntil(openUntil.orLater(notAfter));",
                                        "record.sent().copyUntil(notAfter);"),
                                new Edit(
                                        "SentRequests.java",
                                        "copiesUntil = copiesUntil.orLater(until);",
                                        "copiesUntil = until;"),
                                NEVER_IF_FREE)),
                java(
                        "compensation not repeated",
                        74,
                        1,
                        "BackgroundRelease.java",
                        "if (notAfter.micros() > 0 && missing >= 0) {",
                        "if (missing >= Long.MAX_VALUE) {"),
                java(
                        "validity of a hit counted in full",
                        1,
                        50,
                        "Validity.java",
                        "return Math.min(askedNanos, leftNanos);",
                        "return askedNanos;"),
                java(
                        "no allowance for drift",
                        1,
                        20,
                        "Validity.java",
                        "return spanNanos / DRIFT_DIVISOR + MIN_DRIFT_NANOS;",
                        "return 0;"),
                new Mutant(
                        "suspension of the machine not noticed",
                        8,
                        1,
                        List.of(new Edit(
                                "SuspensionWatch.java",
                                "long found = surplus > THRESHOLD_MILLIS * NANOS_PER_MILLI ? surplus : 0;",
                                "long found = 0;"))),
                java(
                        "deadline not watched",
                        1,
                        20,
                        "Watchdog.java",
                        "        if (now - record.lossAt(surplus, context.commandNanos()) >= 0) {\n            termination.expire(record);",
                        "        if (now - record.lossAt(surplus, context.commandNanos()) >= 0) {"),
                java(
                        "a loss is never reported",
                        1,
                        20,
                        "LeaseEvents.java",
                        "dispatcher.notifyEach(listeners, loss);",
                        ""));
    }

    private static List<Mutant> waiting() {
        return List.of(
                lua(
                        "no waiter is woken",
                        1,
                        50,
                        "release.lua",
                        "pass_on(ARGV[4] == '1', tonumber(since), live)",
                        "head_of_queue()"),
                new Mutant(
                        "a dead head excludes all others",
                        23,
                        1,
                        List.of(
                                new Edit(
                                        "queue.lua",
                                        "local HEARTBEAT_TIMEOUT = 7000000",
                                        "local HEARTBEAT_TIMEOUT = 7000000000"),
                                new Edit("exclusive.lua", "  local until_when =", """
                                          if attempt.waiters and attempt.channel ~= '' then
                                            local first = head_of_queue()
                                            if first and text(first) ~= attempt.position then
                                              return busy(attempt, now + 1000000)
                                            end
                                          end
                                          local until_when ="""))),
                new Mutant(
                        "no poll detects a lost wake-up",
                        1_000_013,
                        1,
                        List.of(
                                new Edit(
                                        "WaitSchedule.java",
                                        "long leaseEnds = now + holderLeftNanos + MIN_LAST_TRY_NANOS;",
                                        "long leaseEnds = now + holderLeftNanos + 3600 * POLL_NANOS;"),
                                new Edit(
                                        "WaitSchedule.java",
                                        "long next = now + most;",
                                        "long next = now + most + 3600 * POLL_NANOS;"))),
                lua(
                        "no reservation: any request overtakes the head",
                        1_000_000,
                        1,
                        "wake.lua",
                        "    reserve_for(n, RESERVED)\n",
                        ""),
                java(
                        "a position is never given up",
                        1,
                        100,
                        "QueuePositions.java",
                        "        context.unanswered().add(leaving);\n        sender.submit(leaving);",
                        ""),
                new Mutant(
                        "the position of a waiter that was cancelled on the way is not given up",
                        1000913,
                        1,
                        List.of(
                                new Edit("AsyncDriver.java", "send.answeredLate().accept(answer);", ""),
                                new Edit("LocalQueueEntry.java", "taker != null && open != null", "false"),
                                new Edit("FairWaiters.java", "mayChange && unanswered != null", "false"))),
                inFull(
                        "a wake-up for a position that a local queue is about to learn is passed on",
                        1000919,
                        1,
                        "QueuePosition.java",
                        "return number == given || mayChange;",
                        "return number == given;"),
                java(
                        "the next of the local queue is not woken",
                        1,
                        50,
                        "QueueUpdates.java",
                        "next.pollNow();",
                        "next.first();"));
    }

    private static List<Mutant> readers() {
        return List.of(
                java(
                        "the first reader that leaves releases the hold that others share",
                        1000002,
                        1,
                        "SharedReadHold.java",
                        "over = readers.isEmpty() && !admitting;",
                        "over = !admitting;"),
                java(
                        "a writer enters before the last reader that the previous writer let in has left",
                        1_000_066,
                        1,
                        "SharedReadHold.java",
                        "over = readers.isEmpty() && !admitting;",
                        "over = (readers.isEmpty() || writer != null) && !admitting;"),
                inFull(
                        "a reader whose time is over releases the hold that others share",
                        1_003_402,
                        1,
                        "LeaseTermination.java",
                        "        return last;",
                        "        return true;"),
                lua(
                        "a reader that joins those whom a writer let in has another token",
                        2_014_522,
                        1,
                        "attempt.lua",
                        "token = fields[8] or fields[2],",
                        "token = fields[2],"),
                java(
                        "readers whom a writer let in get another token in Redis than they have",
                        1_000_010,
                        1,
                        "ShareRequest.java",
                        "floors.above(lease), group.grant().token(),",
                        "floors.above(lease), 0,"),
                java(
                        "the lease of a joining reader counts from then, not from Redis' confirmation",
                        1000002,
                        1,
                        "SharedReadHold.java",
                        "        return grant.takenAt(now);",
                        "        return new LocalGrant(this, grant.token(), now, now + reader.leaseNanos(), now + reader.leaseNanos(), "
                                + "grant.surplusAtConfirm());"),
                lua(
                        "readers overtake a waiting writer",
                        1000002,
                        1,
                        "shared.lua",
                        "    if is_behind_a_writer(attempt.position) then",
                        "    if false then"),
                lua(
                        "the release of one reader frees the lock",
                        1000002,
                        1,
                        "release.lua",
                        "if own and own ~= id then",
                        "if own and own ~= id and own ~= READERS then"),
                lua(
                        "a dead reader is counted for ever",
                        1000002,
                        1,
                        "survey.lua",
                        "elseif sum.earliest <= now or sum.latest - now > sum.longest then",
                        "elseif false then"));
    }

    private static List<Mutant> permits() {
        return List.of(
                lua(
                        "more permits are taken than there are",
                        1000004,
                        1,
                        "semaphore.lua",
                        "attempt.wanted > total - attempt.live then",
                        "attempt.wanted > total - attempt.live + 1 then"),
                lua(
                        "several permits of one count as one",
                        1_000_052,
                        1,
                        "survey.lua",
                        "sum.count = sum.count + (permits[id] or 1)",
                        "sum.count = sum.count + 1"),
                lua(
                        "a permit leaks: a released permit still counts",
                        1_000_036,
                        1,
                        "release.lua",
                        "if sum and live > 0 then",
                        "if sum and live > 0 and own == READERS then"),
                lua(
                        "no waiter is woken when a permit is released",
                        1000204,
                        1,
                        "release.lua",
                        "if fields[6] and (live == 0 or own == PERMITS) then",
                        "if fields[6] and live == 0 then"),
                lua(
                        "a waiter for few permits overtakes a waiter for many",
                        1000036,
                        1,
                        "semaphore.lua",
                        "  if head_lacks_permits(",
                        "  if false and head_lacks_permits("));
    }

    private static List<Mutant> handOff() {
        return List.of(
                new Mutant(
                        "a client that lost its position to another keeps using it",
                        40_000_608,
                        1,
                        List.of(new Edit("FairWaiters.java", "lost.position = 0;", ""))),
                java(
                        "the caller of a count-down considers only one copy of the request",
                        1_031_637,
                        1,
                        "TimedRequest.java",
                        "context.maybeExecuted(failure)",
                        "dev.leasehold.internal.request.RequestFailures.maybeExecuted(failure)"),
                java(
                        "a token is used twice in a run",
                        14,
                        1,
                        "LeaseRecord.java",
                        "hold, token + 1, now, last.end(),",
                        "hold, token, now, last.end(),"),
                java(
                        "a handed-off lease counts from the hand-off, not from Redis' confirmation",
                        1,
                        20,
                        "LeaseRecord.java",
                        "now, last.end(), last.validUntil(), last.surplusAtConfirm());",
                        "now, now + leaseNanos(), now + leaseNanos(), surplus);"),
                java(
                        "a lease that ends before its hand-off notifies no waiter",
                        1,
                        50,
                        "ReleaseOperation.java",
                        "        sharing.handsOffNothing(record);\n",
                        ""));
    }
}
