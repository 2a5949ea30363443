package dev.leasehold.internal.quorum;

import dev.leasehold.internal.concurrent.SelfTimedAnswer;
import dev.leasehold.internal.concurrent.SerialExecutor;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.internal.store.StoreRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * An inspection or a forced release, which is sent to all servers. A majority must answer. An inspection ends when a majority
 * agrees, so that a server that is down delays no list of many locks.
 */
final class QuorumQuery<A extends StoreAnswer> {

    private final Quorum quorum;
    private final Function<Node, StoreRequest<A>> toEach;
    private final Decision<A> decision;
    private final CompletableFuture<A> result = new SelfTimedAnswer<>();
    private final SerialExecutor executor = new SerialExecutor();
    private final List<A> answers = new ArrayList<>();
    private final long startedAt;
    private int open;

    /** Decides by the answers of at least a majority. */
    private interface Decision<A> {
        A of(Quorum quorum, List<A> answers, long startedAt);

        /** Returns whether the answers that are missing cannot change the decision. */
        default boolean isClear(Quorum quorum, List<A> answers) {
            return false;
        }
    }

    /** Decides as most servers see a lock. */
    private static final class MajorityView implements Decision<InspectLock.Answer> {
        /** Returns the answer of a server from the majority that agrees on the owner; a free lock if there is no such majority. */
        @Override
        public InspectLock.Answer of(Quorum quorum, List<InspectLock.Answer> answers, long startedAt) {
            Map<String, Integer> votes = new HashMap<>();
            for (InspectLock.Answer answer : answers) {
                if (answer.code() == InspectLock.Code.FOREIGN) {
                    return answer;
                }
                String owner = ownerIn(answer);
                if (quorum.majority().reached(votes.merge(owner, 1, Integer::sum))) {
                    return withTheCommonToken(answers.stream()
                            .filter(other -> other.code() != InspectLock.Code.FOREIGN
                                    && ownerIn(other).equals(owner))
                            .toList());
                }
            }
            return new InspectLock.Answer(InspectLock.Code.LOCK, quorum.timeAt(startedAt), InspectLock.State.FREE, "");
        }

        /** Of a lock that is held, the token must be clear, too. */
        @Override
        public boolean isClear(Quorum quorum, List<InspectLock.Answer> answers) {
            Map<String, Integer> votes = new HashMap<>();
            return answers.stream()
                    .filter(answer -> answer.code() == InspectLock.Code.LOCK)
                    .map(answer -> ownerIn(answer).isEmpty()
                            ? ""
                            : ownerIn(answer) + ' ' + answer.state().token())
                    .anyMatch(view -> quorum.majority().reached(votes.merge(view, 1, Integer::sum)));
        }
    }

    private QuorumQuery(Quorum quorum, Function<Node, StoreRequest<A>> toEach, Decision<A> decision) {
        this.quorum = quorum;
        this.toEach = toEach;
        this.decision = decision;
        this.startedAt = quorum.parts().time().nanoTime();
    }

    static CompletableFuture<InspectLock.Answer> inspect(Quorum quorum, InspectLock request) {
        InspectLock toEach = new InspectLock(request.key(), nodeTimeout(quorum, request));
        return new QuorumQuery<>(quorum, node -> toEach, new MajorityView()).begin();
    }

    static CompletableFuture<ForceRelease.Answer> forceRelease(Quorum quorum, ForceRelease request) {
        long timeout = nodeTimeout(quorum, request);
        long until = quorum.parts().time().nanoTime() + timeout;
        return new QuorumQuery<>(
                        quorum,
                        node -> new ForceRelease(
                                request.key(), request.token(), node.at(request.key(), until), timeout),
                        QuorumQuery::freed)
                .begin();
    }

    private static long nodeTimeout(Quorum quorum, StoreRequest<?> request) {
        return Majority.nodeTimeout(quorum.parts().nodeTimeoutNanos(), Long.MAX_VALUE, request.timeoutNanos());
    }

    private CompletableFuture<A> begin() {
        executor.execute(() -> {
            open = quorum.nodes().size();
            quorum.nodes().forEach(node -> node.send(toEach.apply(node), handler()));
        });
        return result;
    }

    private AnswerHandler<A> handler() {
        return new AnswerHandler<>(
                executor,
                answer -> {
                    answers.add(answer);
                    if (!result.isDone() && decision.isClear(quorum, answers)) {
                        result.complete(decision.of(quorum, answers, startedAt));
                    }
                    over();
                },
                failure -> over(),
                late -> {});
    }

    private void over() {
        open--;
        if (open > 0 || result.isDone()) {
            return;
        }
        if (quorum.majority().reached(answers.size())) {
            result.complete(decision.of(quorum, answers, startedAt));
        } else {
            result.completeExceptionally(quorum.noMajority(answers.size()));
        }
    }

    private static ForceRelease.Answer freed(Quorum quorum, List<ForceRelease.Answer> answers, long startedAt) {
        ServerTime now = quorum.timeAt(startedAt);
        // A lock of a quorum has one hold on each server: a server with very many of them is to be asked again, like a
        // late one.
        int late = count(answers, ForceRelease.Code.STALE) + count(answers, ForceRelease.Code.MORE);
        if (!quorum.majority().reached(answers.size() - late)) {
            return freed(ForceRelease.Code.STALE, now);
        }
        if (quorum.majority().reached(count(answers, ForceRelease.Code.OTHER))) {
            return freed(ForceRelease.Code.OTHER, now);
        }
        if (count(answers, ForceRelease.Code.FREED) > 0) {
            return freed(ForceRelease.Code.FREED, now);
        }
        return answers.stream()
                .filter(answer -> answer.code() == ForceRelease.Code.FOREIGN)
                .findAny()
                .orElse(freed(ForceRelease.Code.FREE, now));
    }

    private static ForceRelease.Answer freed(ForceRelease.Code code, ServerTime now) {
        return new ForceRelease.Answer(code, now, "", code == ForceRelease.Code.FREED ? 1 : 0);
    }

    private static int count(List<ForceRelease.Answer> answers, ForceRelease.Code code) {
        return (int) answers.stream().filter(answer -> answer.code() == code).count();
    }

    private static String ownerIn(InspectLock.Answer answer) {
        OwnerKey owner = answer.state().owner();
        return owner == null ? "" : owner.field();
    }

    /** A server that granted after the majority still has a token of its own, which no lease has. */
    private static InspectLock.Answer withTheCommonToken(List<InspectLock.Answer> agreeing) {
        return Collections.max(
                agreeing,
                Comparator.comparingLong(answer -> agreeing.stream()
                        .filter(other -> other.state().token() == answer.state().token())
                        .count()));
    }
}
