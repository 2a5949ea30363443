package dev.leasehold.console.internal.act;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The body of an action: a flat JSON object of texts.
 *
 * @param name the lock
 * @param typed the name as the user typed it
 * @param reason why the user does it
 * @param token the fencing token of the holder that the user saw; 0 if it had none
 */
record ActionRequest(String name, String typed, String reason, long token) {

    private static final int LONGEST_TEXT = 4096;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(LONGEST_TEXT)
                    .maxNestingDepth(1)
                    .build())
            .build();

    static ActionRequest parse(String body) throws IOException {
        Map<String, String> texts = new HashMap<>();
        try (JsonParser json = FACTORY.createParser(body)) {
            expect(json.nextToken() == JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                expect(json.nextToken() == JsonToken.VALUE_STRING);
                texts.put(field, json.getText());
            }
            expect(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null);
        }
        return new ActionRequest(
                texts.getOrDefault("name", ""),
                texts.getOrDefault("typed", ""),
                texts.getOrDefault("reason", "").strip(),
                token(texts.getOrDefault("token", "")));
    }

    private static long token(String text) throws IOException {
        try {
            return text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new IOException("a fencing token is a number", e);
        }
    }

    private static void expect(boolean holds) throws IOException {
        if (!holds) {
            throw new IOException("the body of an action is an object of texts");
        }
    }
}
