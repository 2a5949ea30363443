package dev.leasehold.cli.internal.demo;

/** The demonstration cannot go on. */
final class DemoFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DemoFailedException(String message) {
        super(message);
    }
}
