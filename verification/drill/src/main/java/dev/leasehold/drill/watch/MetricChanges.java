package dev.leasehold.drill.watch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** What counters grew by and which maximum gauges reached, from the samples of a Prometheus query for a range. */
public final class MetricChanges {

    private MetricChanges() {}

    /**
     * Adds up the growth of each counter over all instances. A sample below its predecessor means that the process is another one, which
     * counts from zero; so does a series that begins within the range.
     *
     * @param result of the query, a matrix
     * @param beginSeconds when the range begins; the first sample of a series that began before is its base
     * @param slackSeconds how late the first sample of an old series may be
     * @return growth by name and labels, except the instance; counters that did not grow are left out
     */
    public static Map<String, Double> growth(JsonNode result, double beginSeconds, double slackSeconds) {
        Map<String, Double> growth = new TreeMap<>();
        for (JsonNode series : result) {
            double sum = 0;
            double last = 0;
            boolean first = true;
            for (JsonNode sample : series.get("values")) {
                double value = sample.get(1).asDouble();
                boolean base = first && sample.get(0).asDouble() <= beginSeconds + slackSeconds;
                if (!base) {
                    sum += value >= last ? value - last : value;
                }
                last = value;
                first = false;
            }
            if (sum > 0) {
                growth.merge(name(series.get("metric"), false), sum, Double::sum);
            }
        }
        return growth;
    }

    /**
     * Returns the maximum of each series over all instances.
     *
     * @param result of the query, a matrix
     * @return maximum by name and labels, except the instance
     */
    public static Map<String, Double> maxima(JsonNode result) {
        Map<String, Double> maxima = new TreeMap<>();
        for (JsonNode series : result) {
            for (JsonNode sample : series.get("values")) {
                maxima.merge(name(series.get("metric"), false), sample.get(1).asDouble(), Math::max);
            }
        }
        return maxima;
    }

    /** Returns the name of a series with those labels that the drill did not set itself. */
    static String name(JsonNode metric, boolean withInstance) {
        StringBuilder labels = new StringBuilder();
        metric.properties().forEach(label -> {
            String key = label.getKey();
            boolean own = key.equals("job") || key.startsWith("alert") || key.equals("severity");
            if (!own && !key.equals("__name__") && (withInstance || !key.equals("instance"))) {
                labels.append(labels.isEmpty() ? "" : ", ")
                        .append(key)
                        .append('=')
                        .append(label.getValue().asText());
            }
        });
        String name = metric.path("__name__").asText();
        return withInstance || labels.isEmpty() ? name + labels : name + " {" + labels + "}";
    }
}
