package dev.leasehold.examples.shedlock;

/** The store of the reports: outside of the instances, and shared by them. */
public interface Archive {

    /**
     * Appends a page.
     *
     * @param page the page
     * @param token the fencing token of the writer
     * @throws IllegalStateException if the archive has seen a higher token
     */
    void append(String page, long token);

    /**
     * Records an event of a run.
     *
     * @param text the event
     */
    void note(String text);
}
