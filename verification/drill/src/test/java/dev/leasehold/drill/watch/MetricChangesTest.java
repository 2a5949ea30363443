package dev.leasehold.drill.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricChangesTest {

    private static JsonNode matrix(String... series) throws JsonProcessingException {
        return new ObjectMapper().readTree("[" + String.join(",", series) + "]");
    }

    private static String series(String name, String instance, String values) {
        return """
                {"metric": {"__name__": "%s", "instance": "%s", "job": "drill", "reason": "closed"}, "values": [%s]}""".formatted(name, instance, values);
    }

    @Test
    void aCounterGrowsFromItsFirstSampleAndIsAddedUpOverInstances() throws JsonProcessingException {
        JsonNode result = matrix(
                series("failed", "a", "[100, \"3\"], [101, \"5\"]"),
                series("failed", "b", "[100, \"1\"], [101, \"2\"]"));
        assertThat(MetricChanges.growth(result, 100, 2)).isEqualTo(Map.of("failed {reason=closed}", 3.0));
    }

    /** An instance that starts again counts from zero. */
    @Test
    void aCounterThatFallsCountsFromZero() throws JsonProcessingException {
        JsonNode result = matrix(series("failed", "a", "[100, \"7\"], [101, \"2\"], [102, \"4\"]"));
        assertThat(MetricChanges.growth(result, 100, 2)).containsEntry("failed {reason=closed}", 4.0);
    }

    /** The first event of a new series is not lost, as it is by increase(). */
    @Test
    void aSeriesThatBeginsLaterCountsFromZero() throws JsonProcessingException {
        JsonNode result = matrix(series("failed", "a", "[110, \"1\"], [111, \"1\"]"));
        assertThat(MetricChanges.growth(result, 100, 2)).containsEntry("failed {reason=closed}", 1.0);
    }

    @Test
    void aCounterThatDoesNotMoveIsLeftOut() throws JsonProcessingException {
        assertThat(MetricChanges.growth(matrix(series("failed", "a", "[100, \"7\"], [101, \"7\"]")), 100, 2))
                .isEmpty();
    }

    @Test
    void aGaugeHasItsMaximum() throws JsonProcessingException {
        JsonNode result = matrix(
                series("held", "a", "[100, \"3\"], [101, \"5\"]"), series("held", "b", "[100, \"4\"], [101, \"2\"]"));
        assertThat(MetricChanges.maxima(result)).containsEntry("held {reason=closed}", 5.0);
    }
}
