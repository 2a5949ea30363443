package dev.leasehold.cli.internal;

import dev.leasehold.LockFormat;
import dev.leasehold.interop.Formats;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for locks that are shared with programs of another library. */
public final class FormatOption {

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            converter = Reader.class,
            description =
                    "How a lock is stored: leasehold (the default); plain, the string key of the common convention; plain-any-value, the"
                            + " same for release --force of a string that does not look like a lock; redisson, redisson-polled, redisson-fenced; or spring-integration:REGISTRY-KEY. In all but the first, NAME is the key as it is.")
    private LockFormat format = LockFormat.leasehold();

    /** For picocli. */
    public FormatOption() {}

    /** Returns the format. */
    public LockFormat format() {
        return format;
    }

    /** Returns whether the lock has the format of this library. */
    public boolean isOwn() {
        return format == LockFormat.leasehold();
    }

    /** Returns whether leases of the format have a fencing token. */
    public boolean hasToken() {
        return isOwn() || format == Formats.redissonFenced();
    }

    /** Reads a format. */
    static final class Reader implements ITypeConverter<LockFormat> {

        @Override
        public LockFormat convert(String text) {
            try {
                return Formats.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
