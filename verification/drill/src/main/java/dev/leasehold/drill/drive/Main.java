package dev.leasehold.drill.drive;

import dev.leasehold.drill.scenario.Scenario;
import dev.leasehold.drill.scenario.Scenarios;
import dev.leasehold.drill.site.Site;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The command line of verification/drill/run. */
public final class Main {

    private static final String HELP = """
            verification/drill/run [options]
              --scenario NAME  runs this scenario; repeatable; default all, in this order:
                               NAMES
              --report FILE    writes a report in Markdown
              --directory D    where logs and the files of Prometheus are kept; default a new one below the temporary directory
            Exit status: 0 all was as expected, 1 it was not.
            """;

    private static final int WIDTH = 4;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final List<Scenario> scenarios = new ArrayList<>();
    private String report = "";
    private String directory = "";

    private Main() {}

    /**
     * Runs the command line.
     *
     * @param args options
     * @throws Exception if the drill cannot run
     */
    public static void main(String[] args) throws Exception {
        Main main = new Main();
        if (!main.parse(args)) {
            main.out.print(HELP.replace("NAMES", names()));
            System.exit(args.length > 0 && args[0].equals("--help") ? 0 : 1);
        }
        System.exit(main.run() ? 0 : 1);
    }

    private static String names() {
        StringBuilder names = new StringBuilder();
        List<Scenario> all = Scenarios.all();
        for (int n = 0; n < all.size(); n++) {
            names.append(all.get(n).name())
                    .append(n + 1 == all.size() ? "" : n % WIDTH == WIDTH - 1 ? ",\n" + " ".repeat(19) : ", ");
        }
        return names.toString();
    }

    private boolean parse(String[] args) {
        if (args.length % 2 == 1) {
            return false;
        }
        for (int n = 0; n < args.length; n += 2) {
            switch (args[n]) {
                case "--scenario" -> scenarios.add(Scenarios.named(args[n + 1]));
                case "--report" -> report = args[n + 1];
                case "--directory" -> directory = args[n + 1];
                default -> {
                    return false;
                }
            }
        }
        if (scenarios.isEmpty()) {
            scenarios.addAll(Scenarios.all());
        }
        return true;
    }

    private boolean run() throws Exception {
        Path files = directory.isEmpty() ? Files.createTempDirectory("leasehold-drill-") : Path.of(directory);
        Path root = Path.of(System.getProperty("leasehold.root"));
        List<Result> results = new ArrayList<>();
        List<String> left;
        Map<String, String> facts;
        try (Site site = Site.start(files, Files.readString(root.resolve("docs/grafana/alerts.yml")))) {
            Drill drill = new Drill(site);
            facts = facts(site);
            for (Scenario scenario : scenarios) {
                Result result = drill.run(scenario);
                results.add(result);
                out.println(scenario.name() + ": "
                        + (result.findings().isEmpty() ? "as expected" : String.join("; ", result.findings())));
            }
            left = drill.end();
        }
        out.println(left.isEmpty() ? "no key is left" : "left in Redis: " + left);
        if (!report.isEmpty()) {
            Files.write(Path.of(report), Report.lines(facts, results, left));
        }
        out.println("logs in " + files);
        return Report.well(results, left);
    }

    private static Map<String, String> facts(Site site) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "Date",
                LocalDate.now(ZoneId.systemDefault()) + ", commit "
                        + System.getProperty("leasehold.drill.commit", "unknown"));
        facts.put(
                "Machine",
                Runtime.getRuntime().availableProcessors() + " processors, JDK " + Runtime.version()
                        + ", Redis " + site.redis().primary().info("server").get("redis_version")
                        + ", Prometheus " + site.prometheus().version());
        facts.put(
                "Service",
                "Spring Boot over Spring Data Redis and Lettuce, three instances, leases of 15 s, command timeout 5 s, 50 requests a second;"
                        + " Sentinel with two replicas; the user has the documented rights and no others");
        facts.put(
                "Alerts",
                "docs/grafana/alerts.yml with windows " + Site.SHORTER
                        + " times shorter, and the threshold of LeaseholdRenewalLate for this lease");
        return facts;
    }
}
