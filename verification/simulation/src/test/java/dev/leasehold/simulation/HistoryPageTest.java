package dev.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.leasehold.simulation.trace.HistoryPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a history has the whole history, and its impossible steps. */
class HistoryPageTest {

    private static final String BEGINS = "<script type=\"application/json\" id=\"data\">";

    @TempDir
    private Path directory;

    @Test
    void hasAllEntriesAndMessagesOfTheHistory() throws IOException {
        Plan plan = PlanMaker.of(1_000_001);

        Map<String, Integer> sizes = sizes(page(plan, List.of()));

        assertThat(sizes.get("entries"))
                .isEqualTo(Simulation.run(plan).history().entries().size());
        assertThat(sizes.get("messages")).isGreaterThan(1000);
        assertThat(sizes.get("marks")).isZero();
    }

    @Test
    void marksTheImpossibleStepAndEndsNoElementEarly() throws IOException {
        String page = page(PlanMaker.of(1_000_001), List.of(new HistoryPage.Mark(5, "lock-0", "</script><b>")));

        assertThat(sizes(page).get("marks")).isEqualTo(1);
        assertThat(page).doesNotContain("<b>").contains("\\u003c/script>");
    }

    private String page(Plan plan, List<HistoryPage.Mark> marks) throws IOException {
        Path file = directory.resolve("page.html");
        Simulation.writePage(plan, marks, file);
        return Files.readString(file);
    }

    /** Returns the number of objects in each array of the data. */
    private static Map<String, Integer> sizes(String page) throws IOException {
        int from = page.indexOf(BEGINS) + BEGINS.length();
        String data = page.substring(from, page.indexOf("</script>", from));
        Map<String, Integer> sizes = new HashMap<>();
        try (JsonParser json = new JsonFactory().createParser(data)) {
            String array = "";
            int depth = 0;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.START_ARRAY && depth == 2) {
                    array = json.currentName();
                    sizes.put(array, 0);
                } else if (token == JsonToken.START_OBJECT && depth == 3) {
                    sizes.merge(array, 1, Integer::sum);
                }
            }
        }
        return sizes;
    }
}
