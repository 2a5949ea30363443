package dev.leasehold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * The method runs while a lock is held. Other annotations may carry this one.
 *
 * <p><b>Order.</b> The lock is taken before a transaction of the method begins and released after it was committed. Who opened
 * a transaction before the call, and calls with {@link Release#AFTER_METHOD}, is refused with {@link IllegalStateException}:
 * the lock would be free before that transaction is committed. {@code @Async} and {@code @Scheduled} methods take it in the
 * thread they run in.
 *
 * <p><b>Re-entry.</b> A call inside of another that has the same lock joins it: nothing is sent, its options and its end are
 * those of the outer one. It does so in the same thread, in the pool named by {@link #executor}, and in the same chain of
 * Reactor operators. A reader who would write is refused with {@link IllegalStateException}; permits are never joined, each call
 * takes one.
 *
 * <p><b>Results.</b> The lease lasts until the method returns or throws; if it returns a
 * {@link java.util.concurrent.CompletionStage} until that completes, and for a {@code Mono} or {@code Flux} from subscription to
 * completion, error or cancellation, anew for every subscription. A method with a {@code CompletionStage} is called on the
 * caller's thread, which waits for the lock; one with a {@code Mono} or {@code Flux} keeps no thread waiting.
 *
 * <p><b>The lease</b> is at hand as {@link CurrentLease}, in Reactor as {@link ReactiveCurrentLease}, or as a parameter of the type
 * {@link dev.leasehold.Lease}, for which callers give null.
 *
 * <p><b>When it is lost</b> the caller gets {@link dev.leasehold.LeaseLostException} at the end of the method; if the method
 * threw, as suppressed by what it threw. <b>When Redis does not answer</b> the caller gets
 * {@link dev.leasehold.LockUnavailableException}, whatever {@link #onBusy} says. An interrupt while waiting ends the call with
 * {@link InterruptedException} if the method declares it, else with {@link java.util.concurrent.CancellationException} and the
 * thread's interrupt flag set.
 *
 * <p>What cannot work is reported when the application starts, by {@link LockSetupException}: private, static and final
 * methods, calls by {@code this}, templates that name no parameter, a transaction outside of the lock, and all else that is said below.
 *
 * <p>Texts may contain placeholders like <code>${orders.lease}</code>. Durations are written like {@code 500ms}, {@code 30s},
 * {@code 5m} or {@code PT30S}, always with a unit.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Lock {

    /** A {@link #waitTime} without an end. */
    String FOREVER = "forever";

    /**
     * The same as {@link #name}.
     *
     * @return the template
     */
    @AliasFor("name")
    String value() default "";

    /**
     * The name of the lock, as a template: <code>order:#{#order.id}</code>. In <code>#{...}</code> stands an expression of the Spring
     * Expression Language over the parameters, which are <code>#order</code> if the class was compiled with {@code -parameters}, and
     * <code>#p0</code>, <code>#p1</code> in any case. Properties and methods of them can be used; types, beans, constructors and
     * assignments are refused. What an expression yields is text and never evaluated again. If it is null, empty, or an object
     * without a text of its own, the call is refused with {@link IllegalArgumentException}.
     *
     * @return the template; the name made of it has 1 to 512 bytes of UTF-8
     */
    @AliasFor("value")
    String name() default "";

    /**
     * What kind of lock it is.
     *
     * @return the kind
     */
    Kind kind() default Kind.REENTRANT;

    /**
     * How long to wait while others hold the lock.
     *
     * @return a duration, or {@link #FOREVER}; by default the lock is asked for once
     */
    String waitTime() default "0s";

    /**
     * How long Redis keeps the lock without a renewal.
     *
     * @return a duration; by default that of the {@link dev.leasehold.LockOptions} bean, or 30 s
     */
    String leaseTime() default "";

    /**
     * The part of the lease after which it is renewed.
     *
     * @return a number between 0 and 1, such as 0.9; 0 for no renewal; by default that of the {@link dev.leasehold.LockOptions}
     *     bean, or a third
     */
    double renewalRatio() default -1;

    /**
     * How often the lease is renewed. After the last time it runs out, and is lost.
     *
     * @return a number; 0 for no renewal; by default that of the {@link dev.leasehold.LockOptions} bean, or as often as needed
     */
    int maxRenewals() default -1;

    /**
     * For how long the lease is renewed at the most.
     *
     * @return a duration; by default that of the {@link dev.leasehold.LockOptions} bean, or no limit
     */
    String maxHold() default "";

    /**
     * What becomes of a call while others hold the lock for all of {@link #waitTime}.
     *
     * @return what to do
     */
    OnBusy onBusy() default OnBusy.THROW;

    /**
     * The method that is called instead with {@link OnBusy#FALLBACK}: in the same class, with the same parameters but for a lease, and
     * after them, if it wants it, the {@link dev.leasehold.LockNotAcquiredException}. It gets neither lock nor lease, and is called
     * on the bean itself.
     *
     * @return its name
     */
    String fallback() default "";

    /**
     * What becomes of the method when the lease is lost while it runs.
     *
     * @return what to do
     */
    OnLoss onLoss() default OnLoss.THROW;

    /**
     * When the lock is released.
     *
     * @return when
     */
    Release release() default Release.AFTER_METHOD;

    /**
     * The {@link java.util.concurrent.Executor} bean in which the method runs, while the caller has the lock and waits for its end. The current
     * lease and the SLF4J context go along; with {@code io.micrometer:context-propagation} on the class path, so does what that
     * knows. An interrupt of the caller is passed on to the method. If the pool takes no more, the lock is released and the
     * caller gets the pool's exception. A call that joins another runs where it is called. Not for asynchronous results.
     *
     * @return the name of the bean; by default the method runs in the caller's thread
     */
    String executor() default "";

    /**
     * How many permits there are, of which a call takes one. For {@link Kind#SEMAPHORE}, and there it must be given.
     *
     * @return 1 to 1,000,000; the same wherever the name is used
     */
    int permits() default 0;

    /**
     * Who owns the lock, as a template like {@link #name}: who has the same name re-enters from any thread, process or machine.
     * By default each call owns its own. For {@link Kind#REENTRANT}, {@link Kind#FAIR} and {@link Kind#WRITE}.
     *
     * @return the template
     */
    String owner() default "";

    /** The kinds of locks. All but the semaphore are one lock if they have one name. */
    enum Kind {
        /** {@link dev.leasehold.Leasehold#lock}. */
        REENTRANT,
        /** {@link dev.leasehold.Leasehold#fairLock}. */
        FAIR,
        /** The side of {@link dev.leasehold.Leasehold#readWriteLock} that many may hold. */
        READ,
        /** The side of {@link dev.leasehold.Leasehold#readWriteLock} that one may hold. */
        WRITE,
        /** One permit of {@link dev.leasehold.Leasehold#semaphore}. */
        SEMAPHORE
    }

    /** What becomes of a call while others hold the lock. */
    enum OnBusy {
        /** The caller gets {@link dev.leasehold.LockNotAcquiredException}. */
        THROW,
        /**
         * The method is not called, and the result is null, an empty {@code Optional}, {@code Mono} or {@code Flux}, or a completed
         * stage with null. Not for primitive results, which could not tell.
         */
        SKIP,
        /** {@link Lock#fallback} is called. */
        FALLBACK
    }

    /** What becomes of a method whose lease is lost. */
    enum OnLoss {
        /** It goes on, and the caller is told at its end. */
        THROW,
        /**
         * Its thread is interrupted. A {@code CompletionStage} is cancelled, and a {@code Mono} or {@code Flux} ends with the error, at
         * once. An {@link InterruptedException} that the method throws then is suppressed by
         * {@link dev.leasehold.LeaseLostException}.
         */
        INTERRUPT
    }

    /** When a lock is released. */
    enum Release {
        /** When the method has ended, and a transaction of its own with it. */
        AFTER_METHOD,
        /**
         * When the transaction that is open at the call has ended; without one, after the method. A transaction whose lease is lost is
         * not committed. What the transaction read before the lock was taken may be outdated: where possible take the lock
         * first. Not for asynchronous results, nor with an executor.
         */
        AFTER_TRANSACTION
    }
}
