package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints which settings of the servers endanger locks, and the remedies. */
@Command(
        name = "doctor",
        description = {
            "Check the server for settings that endanger locks: version, role, eviction, persistence, replicas, clocks,"
                    + " rights, and the features in use.",
            "",
            "Also checks replicas and sentinels, every node of a cluster, and whether the servers of a quorum count."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:no danger was found; there may be warnings",
            " 1:a danger was found",
            "64:bad usage",
            "69:Redis cannot be reached or does not answer"
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--json", description = "Print a JSON object: redis, dangerous, and a list of findings.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (Leasehold leasehold = connection.open()) {
            List<Finding> findings = Diagnostics.of(leasehold).findings();
            boolean dangerous = count(findings, Level.DANGER) > 0;
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                Json.print(out, generator -> write(generator, findings, dangerous));
            } else {
                print(out, findings);
            }
            return dangerous ? ExitCode.NO : ExitCode.OK;
        }
    }

    private void write(JsonGenerator generator, List<Finding> findings, boolean dangerous) throws IOException {
        generator.writeStartObject();
        generator.writeStringField("redis", connection.address());
        generator.writeBooleanField("dangerous", dangerous);
        generator.writeArrayFieldStart("findings");
        for (Finding finding : findings) {
            Json.finding(generator, finding);
        }
        generator.writeEndArray();
        generator.writeEndObject();
    }

    private void print(PrintWriter out, List<Finding> findings) {
        out.println(connection.address());
        for (Finding finding : findings) {
            out.printf("  %-8s %s: %s%n", word(finding), finding.subject(), Text.line(finding.text()));
            if (!finding.remedy().isEmpty()) {
                out.printf("  %-8s -> %s%n", "", Text.line(finding.remedy()));
            }
        }
        out.println(verdict(count(findings, Level.DANGER), count(findings, Level.WARNING)));
    }

    private static String word(Finding finding) {
        return switch (finding.level()) {
            case FINE -> "fine";
            case WARNING -> "WARNING";
            case DANGER -> "DANGER";
        };
    }

    private static String verdict(long dangers, long warnings) {
        if (dangers == 0 && warnings == 0) {
            return "Nothing endangers locks here.";
        }
        String counts = plural(dangers, "danger") + ", " + plural(warnings, "warning") + ".";
        return dangers == 0 ? counts + " Locks work here, with weaker promises." : counts + " Locks may be lost here.";
    }

    private static String plural(long count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }

    private static long count(List<Finding> findings, Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }
}
