package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.check.Level;
import dev.leasehold.chaos.history.Histories;
import dev.leasehold.chaos.mutant.ChangedClasses;
import dev.leasehold.chaos.mutant.Mutant;
import dev.leasehold.chaos.mutant.Mutants;
import dev.leasehold.chaos.soak.Samples;
import dev.leasehold.chaos.soak.SoakReport;
import dev.leasehold.chaos.trace.LockTraces;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The command line of verification/chaos/run. */
public final class Main {

    private static final String HELP = """
            verification/chaos/run [options]
              --topology T     standalone (default), sentinel, cluster or quorum
              --durability D   none (default), aof: an append-only file synced at each write, or replicas: all are waited for
              --nemesis N      a kind of fault, several with commas between, or all (default)
              --minutes M      for how long faults strike, such as 0.5; default 1
              --seed S         default 1
              --library L      leasehold (default), redisson, redisson-fenced, spring-integration, or
                               leasehold+redisson, which share their locks; all but the first on standalone only
              --processes P    default 4
              --threads T      of each process, default 6
              --rate N         at most so many acquisitions a second by all together; default as many as come
              --calm N         milliseconds without a fault between two, on average; default 250
              --names N        how many locks; default about one for each thread
              --kinds K        kinds of locks with commas between, or all; default those that every topology has. Those of
                               leak are used by clients that are never closed, so that --soak must fail
              --soak FILE      samples the resources of the processes and of the server each 10 s, fails if one grows,
                               and writes a report; standalone only. With it the defaults are --kinds all,
                               --durability aof, --minutes 60, --rate 60, --calm 4000 and two processes that are not killed
              --directory D    where the histories are kept; default a new one below the temporary directory
              --mutant M       a deliberate bug by its number, all, or list; 0 all were caught
              --traces FILE    no run: writes the histories of exclusive locks in the directory to the file, see
                               verification/model/traces; topology and durability say which faults lose data
            Exit status: 0 all is well, 1 a rule was broken, 2 a rule had nothing to judge.
            """;

    private static final Map<String, String> SOAK = Map.of(
            "--kinds", "all",
            "--durability", "aof",
            "--minutes", "60",
            "--rate", "60",
            "--calm", "4000",
            "--processes", "2");

    private static final int SAMPLE_MILLIS = 10_000;

    private Main() {}

    /** Runs the command line. */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Map<String, String> options = new TreeMap<>();
        for (int n = 0; n + 1 < args.length; n += 2) {
            options.put(args[n], args[n + 1]);
        }
        boolean known = options.keySet().stream().allMatch(option -> HELP.contains("  " + option + " "));
        if (args.length % 2 == 1 || !known) {
            out.print(HELP);
            System.exit(args[0].equals("--help") ? 0 : 1);
        }
        if (options.containsKey("--traces")) {
            traces(options, out);
            return;
        }
        Path directory = options.containsKey("--directory")
                ? Path.of(options.get("--directory"))
                : Files.createTempDirectory("leasehold-chaos-");
        String mutant = options.getOrDefault("--mutant", "");
        if (!mutant.isEmpty()) {
            System.exit(mutants(mutant, options, directory, out) ? 0 : 1);
        }
        String report = options.getOrDefault("--soak", "");
        if (!report.isEmpty()) {
            SOAK.forEach(options::putIfAbsent);
        }
        Summary summary = Driver.run(settings(options, directory));
        out.print(summary);
        if (!report.isEmpty()) {
            Files.write(
                    Path.of(report),
                    SoakReport.lines(
                            Samples.read(directory),
                            System.getProperty("leasehold.chaos.commit", "unknown"),
                            summary.toString(),
                            summary.well()));
        }
        out.println("histories in " + directory);
        System.exit(summary.status());
    }

    private static void traces(Map<String, String> options, PrintStream out) throws IOException {
        if (!options.containsKey("--directory")) {
            throw new IllegalArgumentException("--traces needs --directory, which has the histories of a run");
        }
        LockTraces traces = LockTraces.of(
                Histories.read(Path.of(options.get("--directory"))), new Level(topology(options), durability(options)));
        Files.write(Path.of(options.get("--traces")), traces.lines());
        out.println(traces);
    }

    private static String topology(Map<String, String> options) {
        return options.getOrDefault("--topology", "standalone");
    }

    private static String durability(Map<String, String> options) {
        return options.getOrDefault("--durability", "none");
    }

    private static Settings settings(Map<String, String> options, Path directory) {
        return new Settings(
                topology(options),
                durability(options),
                List.of(options.getOrDefault("--nemesis", "all").split(",", -1)),
                (int) (Double.parseDouble(options.getOrDefault("--minutes", "1")) * 60),
                0,
                0,
                Long.parseLong(options.getOrDefault("--seed", "1")),
                options.getOrDefault("--library", "leasehold"),
                Integer.parseInt(options.getOrDefault("--processes", "4")),
                Integer.parseInt(options.getOrDefault("--threads", "6")),
                directory,
                "",
                Integer.parseInt(options.getOrDefault("--rate", "0")),
                Integer.parseInt(options.getOrDefault("--calm", Integer.toString(Settings.LITTLE_CALM_MILLIS))),
                Integer.parseInt(options.getOrDefault("--names", "0")),
                Settings.kinds(options.getOrDefault("--kinds", "")),
                options.containsKey("--soak") ? SAMPLE_MILLIS : 0);
    }

    /** Returns whether all selected mutants were caught. */
    private static boolean mutants(String which, Map<String, String> options, Path directory, PrintStream out)
            throws Exception {
        boolean caught = true;
        List<Mutant> all = Mutants.all();
        if (!which.equals("all") && !which.equals("list") && Integer.parseInt(which) >= all.size()) {
            throw new IllegalArgumentException("there is no mutant " + which + "; --mutant list shows them");
        }
        for (int n = 0; n < all.size(); n++) {
            Mutant mutant = all.get(n);
            if (which.equals("list")) {
                out.println(n + " " + mutant.name() + ", by " + mutant.nemeses());
            } else if (which.equals("all") || which.equals(Integer.toString(n))) {
                Path own = Files.createDirectories(directory.resolve("mutant-" + n));
                Summary summary =
                        Driver.run(settings(options, own.resolve("run")).of(mutant, ChangedClasses.make(mutant, own)));
                boolean seen = summary.verdict().violations().stream()
                        .anyMatch(violation -> mutant.rules().contains(violation.rule()));
                out.println(n + " " + mutant.name() + ": " + (seen ? "caught" : "NOT CAUGHT"));
                out.print(summary);
                caught &= seen;
            }
        }
        return caught;
    }
}
