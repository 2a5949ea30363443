package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.inspect.LockInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks the holder of a lock to release it, or takes the lock away. */
@Command(
        name = "release",
        description = {
            "Ask the holder of a lock to release it (--ask), or take the lock away from it (--force).",
            "",
            "A holder that is asked learns of it at its next renewal, by default within a third of the lease time, and decides what"
                    + " it does.",
            "",
            "To take the lock away is an emergency measure: if a holder died, its lock becomes free when the lease ends."
                    + " The holder is not stopped. It is notified at its next renewal at the latest. Until then it may continue to"
                    + " work while another client holds the lock. Only a resource that checks the fencing token refuses"
                    + " its writes: this release raises the token."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:released, or its holder was asked, or the lock was free",
            " 1:not released: the user answered no, or the lock has another holder",
            "64:bad usage; --ask or --force is missing, or --yes",
            "65:the lock's key holds a value that is not a lock",
            "69:Redis cannot be reached or does not answer"
        })
final class ReleaseCommand implements Callable<Integer> {

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--ask",
            description = "Ask the holder to release the lock, and do not wait for it: this ends no lease.")
    private boolean ask;

    @Option(
            names = "--force",
            description = "Required without --ask: confirms that you know that the holder may still be working.")
    private boolean force;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask for confirmation. Required without a terminal.")
    private boolean yes;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "Take the lock away only from the holder with this fencing token, as show prints it."
                    + " Default: from the holder that is shown for confirmation; with --yes from any.")
    private @Nullable Long token;

    @Option(
            names = "--json",
            description = "Print a JSON object: name, released, and the former holder; with --ask, name and asked.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        Arguments.checkName(name);
        if (ask) {
            return askHolder();
        }
        if (!force) {
            throw new CliException(
                    ExitCode.USAGE,
                    "normally only the holder releases a lock, and the lease of a dead holder ends by itself. To ask the holder of '"
                            + Text.name(name)
                            + "' for it, add --ask. To take it away from a holder that may still be working, add --force");
        }
        if (!yes && !Terminal.isInteractive()) {
            throw new CliException(ExitCode.USAGE, "there is no terminal on which to confirm: add --yes");
        }
        if (token != null && token <= 0) {
            throw new CliException(ExitCode.USAGE, "--token " + token + " must be greater than 0, as show prints it");
        }
        try (Leasehold leasehold = connection.open()) {
            Optional<LockInfo> holder = leasehold.lock(name).inspect();
            if (holder.isPresent() && !yes && !agreed(holder.get())) {
                return answer(false, holder.get(), "left as it is");
            }
            DistributedLock lock = leasehold.lock(name);
            long seen = seen(holder);
            boolean released = seen == 0 ? lock.forceRelease() : lock.forceRelease(seen);
            return answer(released, holder.orElse(null), words(released, holder));
        }
    }

    private int askHolder() {
        if (force || yes || token != null) {
            throw new CliException(
                    ExitCode.USAGE, "--ask takes nothing away, so it has no --force, --yes or --token: leave them out");
        }
        try (Leasehold leasehold = connection.open()) {
            boolean asked = leasehold.lock(name).requestRelease();
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                Json.print(out, generator -> {
                    generator.writeStartObject();
                    generator.writeStringField("name", name);
                    generator.writeBooleanField("asked", asked);
                    generator.writeEndObject();
                });
            } else {
                out.println(Text.name(name)
                        + (asked
                                ? ": its holder is asked to release it, and learns of it at its next renewal."
                                : ": not held, nobody to ask."));
            }
            return ExitCode.OK;
        }
    }

    /** Returns the token of the holder that the user saw: while the user thinks about it, another may acquire the lock. */
    private long seen(Optional<LockInfo> holder) {
        if (token != null) {
            return token;
        }
        return yes ? 0 : holder.map(LockInfo::fencingToken).orElse(0L);
    }

    private String words(boolean released, Optional<LockInfo> holder) {
        if (released) {
            return "released"
                    + holder.map(lock -> "; it was held by " + LockText.holder(lock))
                            .orElse("");
        }
        return holder.isEmpty() ? "not held, nothing to release" : "left as it is: its holder has changed";
    }

    private boolean agreed(LockInfo lock) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(Text.name(name) + " is held by " + LockText.holder(lock) + ".");
        err.print("Take it away? The holder may still be working. [y/N] ");
        err.flush();
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, Text.CHARSET)).readLine();
            return line != null && line.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int answer(boolean released, @Nullable LockInfo holder, String words) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Json.print(out, generator -> write(generator, released, holder));
        } else {
            out.println(Text.name(name) + ": " + words + ".");
        }
        return released || holder == null ? ExitCode.OK : ExitCode.NO;
    }

    private void write(JsonGenerator generator, boolean released, @Nullable LockInfo holder) throws IOException {
        generator.writeStartObject();
        generator.writeStringField("name", name);
        generator.writeBooleanField("released", released);
        if (holder == null) {
            generator.writeNullField("holder");
        } else {
            generator.writeFieldName("holder");
            Json.lock(generator, holder);
        }
        generator.writeEndObject();
    }
}
