package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.subject.Contestant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A situation of several JVMs, in which all contestants are measured, one after the other, round by round. */
public interface Trial extends AutoCloseable {

    /** Returns its name in the report. */
    String title();

    /**
     * Measures one round of one contestant, alone on the server.
     *
     * @throws dev.leasehold.benchmarks.IncorrectException if a lock had two holders; or, if it is Leasehold's own,
     *     failed in another way. A peer's other failures are reported in the round
     */
    Round round(Contestant contestant);

    /** Prepares for the unmeasured round: the JVMs execute the work often enough to be compiled. */
    default void warmUp(Contestant contestant) {}

    /** Returns one line about the result of a round. */
    String progress(Round round);

    /** Ends the JVMs. */
    @Override
    void close();

    /**
     * Measures so many rounds after an unmeasured one, all contestants in turns. The order rotates by one each
     * round.
     */
    static Map<Contestant, List<Round>> inTurns(
            Trial trial, List<Contestant> contestants, int rounds, Consumer<String> progress) {
        Map<Contestant, List<Round>> measured = new EnumMap<>(Contestant.class);
        for (Contestant contestant : contestants) {
            trial.warmUp(contestant);
            progress.accept("warming up: " + contestant.title() + ", " + trial.progress(trial.round(contestant)));
        }
        for (int round = 0; round < rounds; round++) {
            for (int n = 0; n < contestants.size(); n++) {
                Contestant contestant = contestants.get((round + n) % contestants.size());
                Round result = trial.round(contestant);
                measured.computeIfAbsent(contestant, c -> new ArrayList<>()).add(result);
                progress.accept(trial.title() + ", round " + (round + 1) + " of " + rounds + ": " + contestant.title()
                        + ", " + trial.progress(result));
            }
        }
        return measured;
    }
}
