package dev.leasehold.console.internal.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.diagnostics.Finding;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The findings about the servers, the most serious first. */
final class ServersScreen {

    private ServersScreen() {}

    static void write(JsonGenerator json, List<Finding> findings) throws IOException {
        json.writeArrayFieldStart("findings");
        for (Finding finding : findings) {
            json.writeStartObject();
            json.writeStringField("level", finding.level().name().toLowerCase(Locale.ROOT));
            json.writeStringField("subject", Shown.message(finding.subject()));
            json.writeStringField("text", Shown.message(finding.text()));
            json.writeStringField("remedy", Shown.message(finding.remedy()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
