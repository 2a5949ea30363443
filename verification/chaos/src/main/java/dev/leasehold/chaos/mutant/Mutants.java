package dev.leasehold.chaos.mutant;

import dev.leasehold.chaos.check.Rule;
import dev.leasehold.chaos.mutant.Mutant.Edit;
import java.util.List;
import java.util.Set;

/** The deliberate bugs of the catalogue of hazards, or their equivalents in this layout. */
public final class Mutants {

    /** No client uses the script for a free lock, so that another script decides always. */
    private static final Edit ALWAYS_IN_FULL =
            new Edit("acquire_free.lua", "if own or now_text > ARGV[3]", "if true or now_text > ARGV[3]");

    private Mutants() {}

    /** Returns all of them. */
    public static List<Mutant> all() {
        return List.of(
                standalone(
                        "release without owner check",
                        List.of("worker-stop"),
                        Set.of(Rule.C1, Rule.C6),
                        new Edit("release.lua", "local own, hold = fields[3], fields[4]\n", """
                                local own, hold = fields[3], fields[4]
                                if own and not hold then
                                  redis.call('HDEL', key, 'h:' .. own, 'own')
                                  return {'released', now_text}
                                end
                                """)),
                standalone(
                        "deadline counted from the reply, whatever is left",
                        List.of("hold-replies"),
                        Set.of(Rule.C1),
                        new Edit(
                                "RequestedHold.java",
                                "record.granted(answer.token(), sentAt,",
                                "record.granted(answer.token(), now,"),
                        new Edit("Validity.java", "return Math.min(askedNanos, leftNanos);", "return askedNanos;")),
                standalone(
                        "a repeated request enters a second time",
                        List.of("drop-reply", "reset", "client-kill"),
                        Set.of(Rule.C6),
                        new Edit("attempt.lua", "if fields[4] then", """
                                if fields[4] then
                                  attempt.id = id .. now_text
                                  fields[4] = nil
                                end
                                if fields[4] then""")),
                standalone(
                        "the answer that a hold is gone is ignored",
                        List.of("flushall"),
                        Set.of(Rule.C1, Rule.C3),
                        new Edit(
                                "RenewalJudge.java",
                                "denied(record, LeaseTermination.causeOf(answer.detail()), null);",
                                "record.holding();")),
                standalone(
                        "the token is read where it should be raised",
                        List.of("script-flush"),
                        Set.of(Rule.C4),
                        new Edit("token.lua", "math.max(last + 1, now, floor + 1)", "math.max(last, 1, floor)"),
                        ALWAYS_IN_FULL),
                standalone(
                        "the token is a counter",
                        List.of("flushall"),
                        Set.of(Rule.C4, Rule.C5),
                        new Edit("token.lua", "math.max(last + 1, now, floor + 1)", "last + 1"),
                        ALWAYS_IN_FULL),
                standalone(
                        "holds that have ended are counted",
                        List.of("worker-kill"),
                        Set.of(Rule.C7, Rule.C9),
                        new Edit(
                                "survey.lua",
                                "if ends > now then\n      return 1",
                                "if ends > 0 then\n      return 1")),
                new Mutant(
                        "too few replicas are enough",
                        "sentinel",
                        "replicas",
                        List.of("split"),
                        Set.of(Rule.C1),
                        List.of(new Edit(
                                "ReplicatedSender.java",
                                "if (acknowledged != null && acknowledged >= TooFewAcknowledged.wanted(durability)) {",
                                "if (acknowledged != null) {"))));
    }

    private static Mutant standalone(String name, List<String> nemeses, Set<Rule> rules, Edit... edits) {
        return new Mutant(name, "standalone", "none", nemeses, rules, List.of(edits));
    }
}
