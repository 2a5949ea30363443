package dev.leasehold.drill.drive;

import dev.leasehold.drill.judge.Judge;
import dev.leasehold.drill.judge.Observation;
import dev.leasehold.drill.scenario.Scenario;
import dev.leasehold.drill.site.Instance;
import dev.leasehold.drill.site.Site;
import dev.leasehold.drill.watch.FiredAlert;
import dev.leasehold.drill.watch.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/** Runs scenarios one after another on one site. */
public final class Drill {

    /** Before the fault: a second of load. */
    private static final int BEFORE = 50;
    /** After it: three seconds without a failure, in which Prometheus has scraped and evaluated what happened. */
    private static final int AFTER = 150;

    private final Site site;
    private final Judge judge = new Judge(Instance.LEASE);

    /**
     * Creates it.
     *
     * @param site to strike
     */
    public Drill(Site site) {
        this.site = site;
    }

    /**
     * Waits until all is well and no alert is left of what happened before, strikes, waits until all is well again, and judges.
     *
     * @param scenario to run
     * @return what was seen
     * @throws Exception if the fault cannot strike
     */
    public Result run(Scenario scenario) throws Exception {
        site.redis().awaitHealthy();
        site.awaitReady();
        Waits.until("no alert is active", () -> site.prometheus().active().isEmpty());
        site.redis().forgetDenials();
        site.takeLongestGap();
        long begin = System.nanoTime();
        Map<String, Long> answers = site.answers();
        Map<String, Integer> logged = site.logged();
        String connections = site.redis().connections();
        site.awaitAnswers(BEFORE);
        scenario.fault().strike(site);
        boolean healthy = recovers();
        Set<String> must = scenario.expectation().must();
        succeeds(() -> Waits.until(
                must + " have fired",
                () -> fired(begin).stream()
                        .map(FiredAlert::name)
                        .collect(Collectors.toSet())
                        .containsAll(must)));
        Observation seen = new Observation(
                Duration.ofNanos(System.nanoTime() - begin),
                site.takeLongestGap(),
                growth(answers, site.answers()),
                fired(begin),
                site.health().since(begin),
                healthy,
                site.logs(logged),
                site.prometheus().changes(seconds(begin)),
                site.redis().denials(),
                site.redis().keysWithoutExpiry(),
                connections + "; then " + site.redis().connections());
        return new Result(scenario, seen, judge.findings(scenario.expectation(), seen));
    }

    private boolean recovers() {
        return succeeds(() -> {
            site.awaitReady();
            site.awaitStreak(AFTER);
        });
    }

    /** What does not come about is a finding, and no reason to run no further scenario. */
    private static boolean succeeds(Runnable wait) {
        try {
            wait.run();
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    private List<FiredAlert> fired(long begin) {
        return site.prometheus().fired(seconds(begin));
    }

    private static long seconds(long begin) {
        return Math.max(1, Duration.ofNanos(System.nanoTime() - begin).toSeconds());
    }

    /** Returns how many answers of each kind there are more. */
    static Map<String, Long> growth(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> growth = new TreeMap<>();
        after.forEach((answer, count) -> {
            long more = count - before.getOrDefault(answer, 0L);
            if (more > 0) {
                growth.put(answer, more);
            }
        });
        return growth;
    }

    /**
     * Ends all instances by SIGTERM, and waits until all their keys have expired.
     *
     * @return the keys that are left
     * @throws Exception if they cannot be ended
     */
    public List<String> end() throws Exception {
        site.load().close();
        for (Instance instance : site.instances()) {
            instance.terminate();
        }
        succeeds(() -> Waits.until("no key is left", () -> site.redis().keys().isEmpty()));
        return site.redis().keys();
    }
}
