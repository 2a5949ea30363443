package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.MultiLock;
import dev.leasehold.OwnedLock;
import dev.leasehold.interop.Formats;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.Latches;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.recipes.Term;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages about pairs of features: each pair has one answer, each proof exists, and each part of the API belongs to a feature. */
class PairsTest {

    private static final String PAGE = "docs/verification/pairs.md";
    private static final Path EVENTS = Documents.ROOT.resolve("core/src/main/java/dev/leasehold/event");
    private static final Path SIMULATION =
            Documents.ROOT.resolve("verification/simulation/src/main/java/dev/leasehold/simulation");

    /** How many pairs nobody has answered yet. It may only fall. */
    private static final int OPEN = 0;

    /** The last rows of the list of features: what is part of every feature, and of none. */
    private static final Set<String> NO_FEATURES = Set.of("every hold", "no hold");

    private static final Pattern QUOTED = Pattern.compile("(mutant )?`([^`]+)`");
    private static final Pattern TEST = Pattern.compile("`\\w+(?:Test|IT|Contract)(?:#\\w+)?`");

    private static final List<Class<?>> API = List.of(
            Acquirable.class,
            Candidacy.class,
            DistributedLatch.class,
            DistributedLock.class,
            DistributedReadWriteLock.class,
            DistributedSemaphore.class,
            Elections.class,
            Formats.class,
            Latches.class,
            LeaderElection.class,
            Lease.class,
            Leasehold.class,
            LeaseholdBuilder.class,
            LockFormat.class,
            LockOptions.Builder.class,
            MultiLease.class,
            MultiLock.class,
            OwnedLock.class,
            QuorumLeasehold.class,
            Term.class);

    /** A row: the pairs that have the same answer, the answer, and its proof. */
    private record Answer(List<String> pairs, String promise, String proof) {

        boolean open() {
            return promise.startsWith("open: ");
        }

        boolean refused() {
            return promise.startsWith("refused");
        }

        /** An open question has no proof; a refusal has a test. */
        boolean isProvedAsItsKindDemands() {
            return open()
                    ? proof.equals("-")
                    : (refused() ? TEST : QUOTED).matcher(proof).find();
        }
    }

    /** Returns the rows of the list: a name, a description, and what belongs to the feature. */
    private static List<Markdown.Row> list() {
        return Documents.markdown(PAGE).rows().stream()
                .skip(2)
                .filter(row -> row.cells().size() == 3)
                .toList();
    }

    private static List<String> features() {
        return list().stream()
                .map(row -> row.cells().get(0))
                .filter(name -> !NO_FEATURES.contains(name))
                .toList();
    }

    private static List<Answer> answers() {
        List<String> features = features();
        return Documents.withPages(PAGE).rows().stream()
                .filter(row ->
                        row.cells().size() == 4 && features.contains(row.cells().get(0)))
                .map(Markdown.Row::cells)
                .map(cells -> new Answer(
                        Arrays.stream(cells.get(1).split(", ", -1))
                                .map(other -> pair(cells.get(0), other))
                                .toList(),
                        cells.get(2),
                        cells.get(3)))
                .toList();
    }

    private static String pair(String one, String other) {
        return one + " x " + other;
    }

    @Test
    void everyPairOfFeaturesHasOneAnswer() {
        List<String> features = features();
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < features.size(); i++) {
            for (String other : features.subList(i + 1, features.size())) {
                pairs.add(pair(features.get(i), other));
            }
        }
        assertThat(answers().stream().flatMap(answer -> answer.pairs().stream()))
                .hasSizeGreaterThan(600)
                .containsExactlyInAnyOrderElementsOf(pairs);
    }

    @Test
    void everyAnswerHasAProofThatExists() {
        List<String> wrong = new ArrayList<>();
        for (Answer answer : answers()) {
            if (!answer.isProvedAsItsKindDemands()) {
                wrong.add(answer.pairs() + ": " + answer.proof());
            }
            Matcher quoted = QUOTED.matcher(answer.proof());
            while (quoted.find()) {
                if (!exists(quoted.group(1) != null, quoted.group(2))) {
                    wrong.add(answer.pairs() + ": there is no " + quoted.group());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean exists(boolean mutant, String proof) {
        if (mutant) {
            return Stream.of("Mutants", "MeetingMutants", "ServerMutants")
                    .anyMatch(file -> Documents.source(file).contains('"' + proof + '"'));
        }
        if (proof.matches("C\\d+")) {
            return Documents.source("Rule").contains(" " + proof + "(");
        }
        String[] parts = proof.split("#", 2);
        String source = Documents.source(parts[0]);
        return parts.length == 1 ? !source.isEmpty() : source.contains(" " + parts[1] + "(");
    }

    /** The page says how many pairs are shown, refused and open. */
    @Test
    void noMorePairsAreOpenThanBefore() {
        long open = count(answers().stream().filter(Answer::open));
        long refused = count(answers().stream().filter(Answer::refused));
        long all = count(answers().stream());
        assertThat(open).as("lower the constant if you have answered some").isEqualTo(OPEN);
        assertThat(Documents.markdown(PAGE).text().replace('\n', ' '))
                .contains("Of the " + all + " pairs " + (all - open - refused) + " are shown, " + refused
                        + " are refused, and " + open + " are open");
    }

    private static long count(Stream<Answer> answers) {
        return answers.mapToLong(answer -> answer.pairs().size()).sum();
    }

    @Test
    void everyPartOfTheApiEveryEventAndEveryActBelongsToOneFeature() {
        List<String> listed = new ArrayList<>();
        for (Markdown.Row row : list()) {
            Matcher name = QUOTED.matcher(row.cells().get(2));
            while (name.find()) {
                listed.add(name.group(2));
            }
        }
        assertThat(listed).doesNotHaveDuplicates().hasSameElementsAs(parts());
    }

    private static Set<String> parts() {
        return Stream.of(
                        API.stream().flatMap(PairsTest::methods),
                        Documents.files(EVENTS, 1)
                                .map(file -> file.getFileName().toString().replace(".java", ""))
                                .filter(name -> name.endsWith("Event")),
                        acts("Op", "Kind"),
                        acts("Extra", "Kind"),
                        acts("FaultKind", "FaultKind"),
                        acts("Feature", "Feature"))
                .flatMap(names -> names)
                .collect(Collectors.toSet());
    }

    private static Stream<String> methods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(method -> type.getSimpleName() + "#" + method.getName());
    }

    /** Returns the constants of an enum of the simulation, which is built after this module. */
    private static Stream<String> acts(String file, String name) {
        String code = Documents.read(SIMULATION.resolve(file + ".java")).replaceAll("(?s)/\\*.*?\\*/", "");
        String body = code.substring(code.indexOf("enum " + name + " {") + name.length() + 7);
        return Arrays.stream(body.substring(0, endOfConstants(body))
                        .replaceAll("\\([^)]*\\)", "")
                        .split(",", -1))
                .map(constant -> file + "." + constant.strip());
    }

    private static int endOfConstants(String body) {
        int semicolon = body.indexOf(';');
        int brace = body.indexOf('}');
        return semicolon < 0 ? brace : Math.min(semicolon, brace);
    }
}
