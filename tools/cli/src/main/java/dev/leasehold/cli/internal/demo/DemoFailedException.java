package dev.leasehold.cli.internal.demo;

/** Thrown when the demonstration cannot continue. */
final class DemoFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DemoFailedException(String message) {
        super(message);
    }
}
