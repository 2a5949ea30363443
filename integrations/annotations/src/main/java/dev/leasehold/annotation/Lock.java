package dev.leasehold.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the method while it holds a lock, or {@linkplain #names several locks}. One annotation for all
 * frameworks; their adapters are {@code leasehold-spring} and others. Can be used as a meta-annotation where the framework
 * supports it, as Spring does.
 *
 * <p><b>Order.</b> The lock is acquired before a transaction of the method begins, and released after the transaction
 * is committed. If a transaction of Spring, or of JTA in Quarkus, is open at the call, and the lock has {@link Release#AFTER_METHOD}, the
 * call throws {@link IllegalStateException}: the lock would be free before that transaction is committed. Other transactions are not
 * detected: annotate the method that opens one. {@code @Async}
 * and {@code @Scheduled} methods acquire the lock in the thread that runs them.
 *
 * <p><b>Nested calls.</b> A call inside of another call that holds the same lock joins it: it sends nothing, and has
 * the options, the lease and the end of the outer call. This works in the same thread, in the pool named by {@link #executor}, and
 * in the same chain of Reactor or Mutiny operators. A writer inside of a reader is refused with {@link IllegalStateException}.
 * Permits are never joined: each call takes one. A call with several {@link #names} joins an outer call that holds all of
 * them; one that holds only some of them is refused with {@link IllegalStateException}.
 *
 * <p><b>Results.</b> The lease lasts until the method returns or throws. If the method returns a
 * {@link java.util.concurrent.CompletionStage}, the lease lasts until that completes. For a {@code Mono} or
 * {@code Flux}, with Quarkus a {@code Uni} or {@code Multi}, each subscription has a lease of its own, until completion,
 * error or cancellation, and blocks no thread. A method with a {@code CompletionStage} is called on the caller's thread,
 * which waits for the lock.
 *
 * <p><b>The lease</b> is available as {@link CurrentLease}, in Reactor as {@link ReactiveCurrentLease}, or as a
 * parameter of the type {@link dev.leasehold.Lease}, for which callers pass null. With several {@link #names} it is a
 * {@link dev.leasehold.MultiLease}, also as the type of the parameter, and has a fencing token for each name.
 *
 * <p><b>If the lease is lost</b>, the caller gets {@link dev.leasehold.LeaseLostException} at the end of the method; if
 * the method threw, the loss is a suppressed exception of that. <b>If Redis does not answer</b>, the caller gets
 * {@link dev.leasehold.LockUnavailableException}, regardless of {@link #onBusy}. An interrupt while waiting ends the
 * call with {@link InterruptedException} if the method declares it, else with
 * {@link java.util.concurrent.CancellationException} and the thread's interrupt flag set.
 *
 * <p>Invalid uses fail when the application starts, with Quarkus when it is built, with {@link LockSetupException}: private, static and final methods,
 * calls by {@code this}, templates with unknown parameters, a transaction outside of the lock, and every other
 * violation of the rules below.
 *
 * <p>Texts may contain placeholders like <code>${orders.lease}</code>. Durations have the form {@code 500ms},
 * {@code 30s}, {@code 5m} or {@code PT30S}, always with a unit.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Lock {

    /** A {@link #waitTime} without a limit. */
    String FOREVER = "forever";

    /**
     * The same as {@link #name}, of which only one is given.
     *
     * @return the template
     */
    String value() default "";

    /**
     * The name of the lock, as a template: <code>order:#{#order.id}</code>. <code>#{...}</code> contains a path
     * from a parameter, which is named <code>#order</code> if the class was compiled with {@code -parameters}, and
     * <code>#p0</code>, <code>#p1</code> in any case. After it, <code>.id</code> reads a getter, a component of a record
     * or a public field, and <code>.id()</code> calls a public method; the declared types must have them. With Spring,
     * an expression of the Spring Expression Language may use properties and methods of the parameters, without types,
     * beans, constructors and assignments. The result is text and is never evaluated again. If it is null, empty, or an object without a {@code toString}
     * of its own, the call throws {@link IllegalArgumentException}.
     *
     * @return the template; the resulting name has 1 to 512 bytes of UTF-8
     */
    String name() default "";

    /**
     * The names of several locks that are acquired together, all or none, as by
     * {@link dev.leasehold.Leasehold#allOf(String...)}: without deadlocks between such calls, whatever the order of the
     * names, within one {@link #waitTime}, and lost as a whole with the first of them. Each is the same lock as that of a
     * method with this {@link #name}. Only for {@link Kind#REENTRANT} without an {@link #owner}, and instead of
     * {@code name}. If two of the names are the same for the arguments of a call, the call throws
     * {@link IllegalArgumentException}.
     *
     * @return the templates, each like {@link #name}: none, or at least two
     */
    String[] names() default {};

    /**
     * The kind of lock.
     *
     * @return the kind
     */
    Kind kind() default Kind.REENTRANT;

    /**
     * The longest time to wait while others hold the lock.
     *
     * @return a duration, or {@link #FOREVER}; by default the lock is tried once
     */
    String waitTime() default "0s";

    /**
     * The lease time: the time for which Redis keeps the lock without a renewal.
     *
     * @return a duration; by default that of the {@link dev.leasehold.LockOptions} bean, or 30 s
     */
    String leaseTime() default "";

    /**
     * The part of the lease after which it is renewed.
     *
     * @return a number between 0 and 1, such as 0.9; 0 for no renewal; by default that of the
     *     {@link dev.leasehold.LockOptions} bean, or a third
     */
    double renewalRatio() default -1;

    /**
     * The number of renewals. After the last one the lease expires, and is lost.
     *
     * @return a number; 0 for no renewal; by default that of the {@link dev.leasehold.LockOptions} bean, or as often as
     *     needed
     */
    int maxRenewals() default -1;

    /**
     * The longest time for which the lease is renewed.
     *
     * @return a duration; by default that of the {@link dev.leasehold.LockOptions} bean, or no limit
     */
    String maxHold() default "";

    /**
     * The shortest time for which Redis keeps the lock, counted from when the granted request was sent, even if the method ends before; see
     * {@link dev.leasehold.LockOptions.Builder#minHold}. For {@link Kind#REENTRANT} and {@link Kind#FAIR}, with neither an
     * {@link #owner} nor {@link #names}.
     *
     * @return a duration, at most {@link #leaseTime}; by default that of the {@link dev.leasehold.LockOptions} bean, or none
     */
    String minHold() default "";

    /**
     * The behaviour of a call while others hold the lock for all of {@link #waitTime}.
     *
     * @return the behaviour
     */
    OnBusy onBusy() default OnBusy.THROW;

    /**
     * The method that {@link OnBusy#FALLBACK} calls instead. It is in the same class and has the same parameters
     * without the lease, optionally followed by a {@link dev.leasehold.LockNotAcquiredException}. It has neither lock
     * nor lease, and is called on the bean itself, not through its proxy.
     *
     * @return the name of the method
     */
    String fallback() default "";

    /**
     * The behaviour of the method if the lease is lost while the method runs.
     *
     * @return the behaviour
     */
    OnLoss onLoss() default OnLoss.THROW;

    /**
     * The time of the release.
     *
     * @return the time of the release
     */
    Release release() default Release.AFTER_METHOD;

    /**
     * The name of the {@link java.util.concurrent.Executor} bean in which the method runs, while the caller holds the lock and
     * waits for the end of the method. The current lease and the SLF4J context are propagated; with Spring and
     * {@code io.micrometer:context-propagation} on the class path, all contexts that it propagates. An interrupt of the
     * caller is passed on to the method. If the pool rejects the task, the lock is released and the caller gets the
     * pool's exception. A call that joins another runs in its caller's thread. Not allowed for asynchronous results.
     *
     * @return the name of the bean; by default the method runs in the caller's thread
     */
    String executor() default "";

    /**
     * The number of permits of the semaphore, of which each call takes one. Required for {@link Kind#SEMAPHORE}, not
     * allowed otherwise.
     *
     * @return 1 to 1,000,000; the same in every use of the name
     */
    int permits() default 0;

    /**
     * The owner of the lock, as a template like {@link #name}. The lock is reentrant for all calls with the same owner,
     * from any thread, process or machine. By default each call is an owner of its own. For {@link Kind#REENTRANT},
     * {@link Kind#FAIR} and {@link Kind#WRITE}.
     *
     * @return the template
     */
    String owner() default "";

    /** The kinds of locks. All kinds except the semaphore are one lock if they have the same name. */
    enum Kind {
        /** {@link dev.leasehold.Leasehold#lock}. */
        REENTRANT,
        /** {@link dev.leasehold.Leasehold#fairLock}. */
        FAIR,
        /** The read lock of {@link dev.leasehold.Leasehold#readWriteLock}, which many may hold. */
        READ,
        /** The write lock of {@link dev.leasehold.Leasehold#readWriteLock}, which only one may hold. */
        WRITE,
        /** One permit of {@link dev.leasehold.Leasehold#semaphore}. */
        SEMAPHORE
    }

    /** The behaviour of a call while others hold the lock. */
    enum OnBusy {
        /** The caller gets {@link dev.leasehold.LockNotAcquiredException}. */
        THROW,
        /**
         * The method is not called. The result is null, an empty {@code Optional}, {@code Mono} or {@code Flux}, or a
         * stage completed with null. Not for primitive results, which have no value for it.
         */
        SKIP,
        /** The method named by {@link Lock#fallback} is called. */
        FALLBACK
    }

    /** The behaviour of a method whose lease is lost. */
    enum OnLoss {
        /** The method continues, and the caller gets {@link dev.leasehold.LeaseLostException} at its end. */
        THROW,
        /**
         * The method's thread is interrupted. A {@code CompletionStage} is cancelled, and a {@code Mono} or
         * {@code Flux} ends with the error immediately. An {@link InterruptedException} that the method then throws
         * becomes a suppressed exception of {@link dev.leasehold.LeaseLostException}.
         */
        INTERRUPT
    }

    /** The time at which a lock is released. */
    enum Release {
        /** After the end of the method and of a transaction of its own. */
        AFTER_METHOD,
        /**
         * After the end of the transaction that is open at the call; without one, after the method. If the lease is
         * lost, the transaction is not committed. Refused where the adapter does not know transactions. Data that the transaction read before the acquisition may be
         * outdated: if possible, acquire the lock first. Not for asynchronous results, nor with an executor.
         */
        AFTER_TRANSACTION
    }
}
