package dev.leasehold.examples.shedlock;

/** Where the report is written: outside of the instances, and shared by them. */
public interface Archive {

    /**
     * Appends a page.
     *
     * @param page what to append
     * @param token the fencing token under which it is written
     * @throws IllegalStateException if it has seen a higher token
     */
    void append(String page, long token);

    /**
     * Notes what happened to a run.
     *
     * @param text a few words
     */
    void note(String text);
}
