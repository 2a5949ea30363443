package dev.leasehold.interop;

import dev.leasehold.LockFormat;
import dev.leasehold.internal.key.KeyFormat;
import dev.leasehold.internal.key.Names;

/**
 * The formats in which other libraries store their locks, for {@link dev.leasehold.Leasehold#lock(String, LockFormat)} and {@link
 * dev.leasehold.LeaseholdBuilder#lockFormat}: callers of both libraries exclude each other.
 *
 * <table>
 * <caption>What a format keeps</caption>
 * <tr><th>format</th><th>shared with</th><th>fencing tokens</th><th>waiters are woken by</th></tr>
 * <tr><td>{@link LockFormat#leasehold()}</td><td>Leasehold</td><td>yes</td><td>their turn in the queue</td></tr>
 * <tr><td>{@link #plain()}</td><td>redis-py, redsync, node-redlock, ShedLock, lock4j with one server</td><td>no</td><td>their interval</td></tr>
 * <tr><td>{@link #plainAnyValue()}</td><td>the same, with values that look like no lock</td><td>no</td><td>their interval</td></tr>
 * <tr><td>{@link #redisson()}</td><td>Redisson's {@code RLock}</td><td>no</td><td>the channel of the lock, in both libraries</td></tr>
 * <tr><td>{@link #redissonFenced()}</td><td>Redisson's {@code RFencedLock}</td><td>yes, rising over both</td><td>the same</td></tr>
 * <tr><td>{@link #redissonPolled()}</td><td>Redisson's {@code getSpinLock} and {@code getFairLock}</td><td>no</td><td>their interval; those of
 * Redisson's fair locks by their channels</td></tr>
 * <tr><td>{@link #springIntegration(String)}</td><td>Spring Integration's {@code RedisLockRegistry}</td><td>no</td><td>their interval; those
 * of Spring Integration by its channel</td></tr>
 * </table>
 */
public final class Formats {

    private Formats() {}

    /**
     * Returns the common convention: a string that {@code SET} writes with {@code NX} and {@code PX}, and that only its holder deletes.
     * The name is the key as it is. A waiter polls by its strategy's interval and number of tries. If data is lost, or a failover happens
     * before the replica has received the key, two callers may hold the lock at once, and the resource cannot tell them apart.
     *
     * <p>Any string under the key is a holder to whoever wants to acquire the lock. A forced release deletes it only if it looks like one,
     * because a name may be that of a counter or of cached data by mistake: it expires, and its value was written by this library or is a
     * word of 8 to 256 ASCII letters, digits and signs that is no number. Otherwise it throws a {@link dev.leasehold.ForeignKeyException}.
     *
     * @return the format
     */
    public static LockFormat plain() {
        return KeyFormat.Word.PLAIN;
    }

    /**
     * Returns {@link #plain()} for names under which every string is a lock, whatever it looks like: a forced release deletes also one
     * that never expires, or that says {@code 1}.
     *
     * @return the format
     */
    public static LockFormat plainAnyValue() {
        return KeyFormat.Word.PLAIN_ANY_VALUE;
    }

    /**
     * Returns the format of Redisson's {@code RLock}: the name is the key as it is. Callers of both libraries exclude each other and
     * wake each other; each renews its own holds only, and a lock that Redisson unlocks by force is lost. For names of its spin locks and
     * fair locks use {@link #redissonPolled()}. A read-write lock of Redisson under the key is a {@link dev.leasehold.ForeignKeyException}; its
     * semaphores are not shared.
     *
     * @return the format
     */
    public static LockFormat redisson() {
        return KeyFormat.Word.REDISSON;
    }

    /**
     * Returns {@link #redisson()} for names of Redisson's {@code getSpinLock} and {@code getFairLock}: waiters of this library poll by
     * their strategy's interval, 50 ms by default, and hear of each other's releases. The unlock of a spin lock publishes nothing, and
     * that of a fair lock wakes waiters of Redisson only. Neither can be told from an {@code RLock} by its key, so with
     * {@link #redisson()} a waiter acquires such a lock up to 5 s after the unlock; only while callers queue for a fair lock it polls
     * there, too. A release of this library wakes the first caller in the queue of a fair lock; callers of this library overtake the
     * queue.
     *
     * @return the format
     */
    public static LockFormat redissonPolled() {
        return KeyFormat.Word.REDISSON_POLLED;
    }

    /**
     * Returns the format of Redisson's {@code RFencedLock}: {@link #redisson()} with fencing tokens, which rise with each acquisition in
     * either library, as long as Redis keeps the key {@code redisson_lock_token:{name}}; after its loss, as long as the clock of Redis does
     * not go back.
     *
     * @return the format
     */
    public static LockFormat redissonFenced() {
        return KeyFormat.Word.REDISSON_FENCED;
    }

    /**
     * Returns the format of Spring Integration's {@code RedisLockRegistry}: the plain convention under the key {@code registryKey:name}, and
     * a message for waiters of a registry that uses {@code RedisLockType.PUB_SUB_LOCK}.
     *
     * @param registryKey the registry key of that registry
     * @return the format
     * @throws IllegalArgumentException if the registry key breaks the rule for names
     */
    public static LockFormat springIntegration(String registryKey) {
        return new KeyFormat.SpringIntegration(registryKey);
    }

    /**
     * Reads a format as settings write it, which its {@code toString()} returns.
     *
     * @param text {@code leasehold}, {@code plain}, {@code plain-any-value}, {@code redisson}, {@code redisson-polled}, {@code redisson-fenced}, or
     *     {@code spring-integration:} with the registry key
     * @return the format
     * @throws IllegalArgumentException if there is no such format
     */
    public static LockFormat parse(String text) {
        if (text.startsWith(KeyFormat.SpringIntegration.WORDS)) {
            return springIntegration(text.substring(KeyFormat.SpringIntegration.WORDS.length()));
        }
        for (KeyFormat.Word format : KeyFormat.Word.values()) {
            if (format.toString().equals(text)) {
                return format;
            }
        }
        throw new IllegalArgumentException("there is no lock format '" + Names.escape(text)
                + "': use leasehold, plain, plain-any-value, redisson, redisson-polled, redisson-fenced, or spring-integration:"
                + " with a registry key");
    }
}
