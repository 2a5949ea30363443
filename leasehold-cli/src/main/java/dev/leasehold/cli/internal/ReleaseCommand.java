package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonGenerator;
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

/** Takes a lock away from its holder. */
@Command(
        name = "release",
        description = {
            "Take a lock away from whoever holds it. An emergency measure: a lock whose holder died is free by itself"
                    + " when its lease has ended.",
            "",
            "The holder is not stopped. It is told at its next renewal at the latest, and until then it may go on"
                    + " working while another has the lock. Only a resource that checks the fencing token refuses it:"
                    + " the token rises with this release."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:released, or nobody held it",
            " 1:asked, and the answer was no",
            "64:bad usage, --force or --yes is missing",
            "65:something that is no lock lies under the lock's key",
            "69:Redis cannot be reached or does not answer"
        })
final class ReleaseCommand implements Callable<Integer> {

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--force", description = "Needed: says that you know that the holder may still be working.")
    private boolean force;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask. Needed where there is no terminal to ask on.")
    private boolean yes;

    @Option(names = "--json", description = "Print a JSON object: name, released, and the former holder.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        Arguments.checkName(name);
        if (!force) {
            throw new CliException(
                    ExitCode.USAGE,
                    "only the holder releases a lock; its lease ends by itself when the holder is dead. To take '"
                            + Text.name(name) + "' away from a holder that may still be working, say --force");
        }
        if (!yes && !Terminal.isInteractive()) {
            throw new CliException(ExitCode.USAGE, "there is no terminal to ask on: add --yes");
        }
        try (Leasehold leasehold = connection.open()) {
            Optional<LockInfo> holder = leasehold.inspector().find(name);
            if (holder.isPresent() && !yes && !agreed(holder.get())) {
                return answer(false, holder.get(), "left as it is");
            }
            boolean released = leasehold.lock(name).forceRelease();
            return answer(
                    released,
                    holder.orElse(null),
                    released ? "released" + former(holder) : "nobody held it, so there was nothing to release");
        }
    }

    private static String former(Optional<LockInfo> holder) {
        return holder.map(lock -> "; it was held by " + LockText.holder(lock)).orElse("");
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
