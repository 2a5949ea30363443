package dev.leasehold.internal.renew;

import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renewals that share one request. The answer to each is applied as if that renewal had been sent alone. If Redis refuses the
 * request as a whole, each renewal is sent alone, because one of them may be the cause.
 */
public final class RenewalBatch implements BatchSender.Request<RenewHolds.Answer> {

    private static final Logger LOG = LoggerFactory.getLogger(RenewalBatch.class);

    /** The maximum weight of one request: Redis serves no other client meanwhile, and a single hold takes about 10 us. */
    public static final int MAX_WEIGHT = 100;

    /** The weight of a hold that is one of several of its owner, for which Redis also keeps their sum. */
    private static final int WEIGHT_OF_SEVERAL = 4;

    /** Errors that do not depend on the keys: each renewal sent alone would get the same. */
    private static final Set<String> SERVER_ERRORS = Set.of("LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN");

    private final RequestContext context;
    private final BatchSender sender;
    private final MultiKeyCalls slots;
    private final LockKind kind;
    private final LeaseSpan lease;
    private final long timeoutNanos;
    private final List<HoldRequest> requests = new ArrayList<>();
    private int weight;

    RenewalBatch(
            RequestContext context,
            BatchSender sender,
            MultiKeyCalls slots,
            LockKind kind,
            LeaseSpan lease,
            long timeoutNanos) {
        this.context = context;
        this.sender = sender;
        this.slots = slots;
        this.kind = kind;
        this.lease = lease;
        this.timeoutNanos = timeoutNanos;
    }

    boolean accepts(HoldRequest request) {
        return weight + weightOf(request) <= MAX_WEIGHT;
    }

    void add(HoldRequest request) {
        weight += weightOf(request);
        requests.add(request);
    }

    private int weightOf(HoldRequest request) {
        boolean several = request.ofNamedOwner() || kind == LockKind.READ || kind == LockKind.PERMITS;
        return several ? WEIGHT_OF_SEVERAL : 1;
    }

    @Override
    public @Nullable RenewHolds prepare(long now) {
        long surplus = context.surplus();
        requests.removeIf(request -> !ready(request, now, surplus));
        return requests.isEmpty()
                ? null
                : new RenewHolds(
                        lease, requests.stream().map(HoldRequest::entry).toList(), timeoutNanos);
    }

    /** Returns whether a renewal is sent in this request; a renewal for another span is sent alone. */
    private boolean ready(HoldRequest request, long now, long surplus) {
        try {
            if (!request.ready(now, surplus)) {
                return false;
            }
            if (!request.span().equals(lease)) {
                sender.submit(request);
                return false;
            }
            return true;
        } catch (RuntimeException | Error e) {
            fail(request, e);
            return false;
        }
    }

    @Override
    public void answered(long sentAt, RenewHolds.Answer answer) {
        for (int i = 0; i < requests.size(); i++) {
            HoldRequest request = requests.get(i);
            try {
                request.answered(sentAt, answer.results().get(i).orThrow());
            } catch (RuntimeException | Error e) {
                fail(request, e);
            }
        }
    }

    /** Applies a late answer, which is still true: validity counts from the moment of sending. */
    @Override
    public void answeredLate(long sentAt, RenewHolds.Answer answer) {
        answered(sentAt, answer);
    }

    @Override
    public void failed(Throwable failure) {
        if (requests.size() > 1 && failure instanceof RedisErrorException error && mayBeCausedByOne(error)) {
            LOG.debug(
                    "{} renewals are sent one by one, because Redis refused their common request",
                    requests.size(),
                    error);
            each(sender::submit);
        } else {
            each(request -> fail(request, failure));
        }
    }

    private boolean mayBeCausedByOne(RedisErrorException error) {
        if (error.code().equals("CROSSSLOT")) {
            slots.restrictToOneSlot();
        }
        return !SERVER_ERRORS.contains(error.code()) && !error.refusesCredentials();
    }

    private void each(Consumer<HoldRequest> action) {
        requests.forEach(action);
    }

    /** Reports a failure to a renewal; an exception of its handling affects no other renewal. */
    static void fail(HoldRequest request, Throwable failure) {
        try {
            request.failed(RequestFailures.unwrap(failure));
        } catch (RuntimeException | Error e) {
            LOG.error("a bug in Leasehold: the handling of one renewal threw; other renewals are not affected", e);
        }
    }
}
