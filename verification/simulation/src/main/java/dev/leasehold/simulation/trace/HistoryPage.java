package dev.leasehold.simulation.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A history as a page for people, in one file: a lane for Redis with the holds of a lock, a lane for each client with its leases, the
 * messages between them, and the faults.
 */
public final class HistoryPage {

    private static final String PLACE_OF_DATA = "DATA";
    private static final JsonFactory JSON = new JsonFactory();

    private HistoryPage() {}

    /**
     * The first impossible step.
     *
     * @param at its moment in true time, in ns
     * @param lock the lock it is about; empty if none
     * @param text why it is impossible
     */
    public record Mark(long at, String lock, String text) {}

    /**
     * Writes the page.
     *
     * @param title its title
     * @param history what happened
     * @param messages the requests
     * @param marks the impossible steps; empty if there is none
     */
    public static String of(String title, History history, List<Message> messages, List<Mark> marks) {
        StringWriter data = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(data)) {
            json.writeStartObject();
            json.writeStringField("title", title);
            json.writeArrayFieldStart("marks");
            for (Mark mark : marks) {
                json.writeStartObject();
                json.writeNumberField("at", mark.at());
                json.writeStringField("lock", mark.lock());
                json.writeStringField("text", mark.text());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("entries");
            for (Entry entry : history.entries()) {
                entry(json, entry);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("messages");
            for (Message message : messages) {
                message(json, message);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // What looks like a tag would end the element that contains the data.
        return page().replace(PLACE_OF_DATA, data.toString().replace("<", "\\u003c"));
    }

    private static void entry(JsonGenerator json, Entry entry) throws IOException {
        json.writeStartObject();
        json.writeNumberField("at", entry.at());
        json.writeNumberField("client", entry.client());
        json.writeNumberField("op", entry.op());
        json.writeStringField("what", entry.what().name());
        json.writeStringField("lock", entry.lock());
        json.writeStringField("owner", entry.owner());
        // Beyond what a number of JavaScript holds.
        json.writeStringField("token", Long.toString(entry.token()));
        json.writeNumberField("until", entry.until());
        json.writeStringField("note", entry.note());
        json.writeEndObject();
    }

    private static void message(JsonGenerator json, Message message) throws IOException {
        json.writeStartObject();
        json.writeNumberField("client", message.client());
        json.writeStringField("script", message.call().script().name());
        json.writeArrayFieldStart("locks");
        for (String key : message.call().keys()) {
            if (Entry.isLock(key)) {
                json.writeString(Entry.lockOf(key));
            }
        }
        json.writeEndArray();
        json.writeNumberField("sent", message.sent());
        json.writeArrayFieldStart("arrivals");
        for (long arrival : message.arrivals()) {
            json.writeNumber(arrival);
        }
        json.writeEndArray();
        json.writeStringField("reply", message.reply());
        json.writeNumberField("answered", message.answered());
        json.writeEndObject();
    }

    private static String page() {
        try (InputStream in = HistoryPage.class.getResourceAsStream("history.html")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
