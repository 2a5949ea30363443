package dev.leasehold.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * The result of one entry of a request for several locks; without answer and failure, it was not tried.
 *
 * @param answer the answer, as if the entry had been sent alone
 * @param failure the failure of this entry alone
 */
public record EntryResult<A>(@Nullable A answer, @Nullable RuntimeException failure) {

    /** Returns the result of an entry that was answered. */
    public static <A> EntryResult<A> of(A answer) {
        return new EntryResult<>(answer, null);
    }

    /** Returns the result of an entry that failed. */
    public static <A> EntryResult<A> failed(RuntimeException failure) {
        return new EntryResult<>(null, failure);
    }

    /** Returns the result of an entry that was not tried. */
    public static <A> EntryResult<A> untried() {
        return new EntryResult<>(null, null);
    }

    /**
     * Returns the answer.
     *
     * @throws RuntimeException the failure, if there is one
     * @throws IllegalStateException if the entry was not tried
     */
    public A orThrow() {
        if (answer != null) {
            return answer;
        }
        throw failure != null ? failure : new IllegalStateException("the entry was not tried");
    }
}
