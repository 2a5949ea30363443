package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AcquireHolds;
import dev.leasehold.internal.store.ChangePermits;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.CountDown;
import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.internal.store.ResumeHold;
import dev.leasehold.internal.store.SendHeartbeats;
import dev.leasehold.internal.store.SetLatch;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ScriptCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The scripts of a client by the requests that they serve, bound to its token memory and its server. */
public final class ScriptBindings {

    private final Map<Class<?>, ScriptBinding<?, ?>> byRequest = new HashMap<>();
    private final ReleaseScript release;

    /**
     * Binds the scripts; nothing is sent.
     *
     * @param memory how long a key outlives its last use
     * @param countsReceivers whether a message that Redis delivered to no subscriber was received by none
     */
    public ScriptBindings(TokenMemory memory, boolean countsReceivers) {
        release = new ReleaseScript(memory, countsReceivers);
        bindHolds(memory, countsReceivers);
        bind(ContinueHandOff.class, new GoOnScript(memory));
        bind(ContinueHandOff.Retain.class, new GoOnScript.Retain(memory));
        bind(ResumeHold.class, new ResumeScript(memory));
        bind(RequestRelease.class, new RequestReleaseScript(memory));
        bind(LeaveQueue.class, new LeaveScript(countsReceivers));
        bind(SendHeartbeats.class, new LookManyScript(memory));
        bind(ChangePermits.class, new ChangePermitsScript(memory, countsReceivers));
        bind(DowngradeHold.class, new DowngradeScript(memory));
        bind(SetLatch.class, new LatchScripts.SetBinding());
        bind(CountDown.class, new LatchScripts.CountDownBinding());
        bind(ReadLatch.class, new LatchScripts.ReadBinding());
        bind(QuorumRequest.Acquire.class, new QuorumScripts.AcquireBinding(memory));
        bind(QuorumRequest.Raise.class, new QuorumScripts.RaiseBinding(memory));
        bind(QuorumRequest.Join.class, new QuorumScripts.JoinBinding());
    }

    private void bindHolds(TokenMemory memory, boolean countsReceivers) {
        var acquire = new KindBinding<>(new AcquireScript(memory), ForeignScripts.AcquireBinding::new);
        var renew = new RenewScript(memory);
        var acquireFree = new AcquireFreeScript(memory);
        bind(AcquireFreeLock.class, acquireFree);
        bind(CombinedScript.Request.class, new CombinedScript(acquireFree));
        bind(AcquireHold.class, acquire);
        bind(AcquireHolds.class, new AcquireManyScript(acquire));
        bind(RenewHold.class, new KindBinding<>(renew, ForeignScripts.RenewBinding::new));
        bind(RenewHolds.class, new KindBinding<>(RenewManyScript.ofHashes(memory, renew), RenewManyScript::of));
        bind(ReleaseHold.class, new KindBinding<>(release, ForeignScripts.ReleaseBinding::new));
        bind(
                ForceRelease.class,
                new KindBinding<>(
                        new ForceReleaseScript(memory, countsReceivers), ForeignScripts.ForceReleaseBinding::new));
        bind(InspectLock.class, new KindBinding<>(new InspectScript(), ForeignScripts.InspectBinding::new));
        bind(InspectLock.Many.class, new InspectScript.Many());
    }

    private <R extends StoreRequest<A>, A> void bind(Class<R> request, ScriptBinding<R, A> script) {
        byRequest.put(request, script);
    }

    /**
     * Returns the call of the script that serves a request.
     *
     * @throws UnsupportedOperationException if no script does
     */
    public <A> ScriptCall call(StoreRequest<A> request) {
        return bindingOf(request).call(request);
    }

    /** Returns whether a request may be one of several in a {@link CombinedScript.Request}. */
    public boolean combines(StoreRequest<?> request) {
        if (request instanceof ReleaseHold hold) {
            return hold.key().kind() == LockKind.STANDARD && release.isUsual(hold);
        }
        return request instanceof AcquireFreeLock;
    }

    /** Reads the reply to the call of a request; throws any unchecked exception if it is not one of this script. */
    public <A> A read(StoreRequest<A> request, List<String> reply) {
        return bindingOf(request).read(request, reply);
    }

    /** The cast is safe because {@link #bind} pairs a type of requests with a binding of the same type. */
    @SuppressWarnings("unchecked")
    private <A> ScriptBinding<StoreRequest<A>, A> bindingOf(StoreRequest<A> request) {
        ScriptBinding<?, ?> script = byRequest.get(request.getClass());
        if (script == null) {
            throw new UnsupportedOperationException("no script serves the request to " + request.inWords());
        }
        return (ScriptBinding<StoreRequest<A>, A>) script;
    }

    /** Chooses the script by the kind of the lock: those of locks in hashes of our own layout, or those of a format of others. */
    private record KindBinding<R extends LockRequest<A>, A>(
            ScriptBinding<R, A> hash, ScriptBinding<R, A> plain, ScriptBinding<R, A> redisson)
            implements ScriptBinding<R, A> {

        KindBinding(ScriptBinding<R, A> hash, Function<ForeignScripts, ScriptBinding<R, A>> foreign) {
            this(hash, foreign.apply(ForeignScripts.PLAIN), foreign.apply(ForeignScripts.REDISSON));
        }

        private ScriptBinding<R, A> of(R request) {
            return switch (request.key().kind()) {
                case STANDARD, READ, PERMITS, QUORUM -> hash;
                case PLAIN -> plain;
                case REDISSON, REDISSON_FENCED -> redisson;
            };
        }

        @Override
        public ScriptCall call(R request) {
            return of(request).call(request);
        }

        @Override
        public A read(R request, List<String> reply) {
            return of(request).read(request, reply);
        }
    }
}
