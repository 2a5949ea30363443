package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplyPairingTest {

    private static final String MESSAGE = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n";

    private final ReplyPairing pairing = new ReplyPairing();

    @Test
    void repliesArriveInTheOrderOfTheRequests() {
        send("GET a");
        send("GET b");
        assertThat(answered("+1\r\n")).isEqualTo("GET a");
        assertThat(answered("-ERR\r\n")).isEqualTo("GET b");
        assertThat(answered("+2\r\n")).isEqualTo("nothing");
    }

    @Test
    void aPushAnswersNothing() {
        send("GET a");
        assertThat(answered(">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n")).isEqualTo("nothing");
        assertThat(answered("+1\r\n")).isEqualTo("GET a");
    }

    @Test
    void aSubscriptionIsConfirmedChannelByChannelAndMessagesArriveBetween() {
        send("SUBSCRIBE c d");
        send("PING");
        assertThat(answered(confirmation("*", "subscribe", "c"))).isEqualTo("SUBSCRIBE c d");
        assertThat(answered(MESSAGE)).isEqualTo("nothing");
        assertThat(answered(confirmation("*", "subscribe", "d"))).isEqualTo("SUBSCRIBE c d");
        assertThat(answered("*2\r\n$4\r\npong\r\n$0\r\n\r\n")).isEqualTo("PING");
    }

    @Test
    void inResp3ConfirmationsAndMessagesArePushes() {
        send("HELLO 3");
        assertThat(answered("%1\r\n+a\r\n+b\r\n")).isEqualTo("HELLO 3");
        send("SUBSCRIBE c");
        send("LRANGE l 0 -1");
        assertThat(answered(confirmation(">", "subscribe", "c"))).isEqualTo("SUBSCRIBE c");
        assertThat(answered(MESSAGE.replace('*', '>'))).isEqualTo("nothing");
        assertThat(answered(MESSAGE)).isEqualTo("LRANGE l 0 -1");
    }

    @Test
    void aListThatLooksLikeAMessageIsAReplyWithoutASubscription() {
        send("LRANGE l 0 -1");
        assertThat(answered(MESSAGE)).isEqualTo("LRANGE l 0 -1");
    }

    @Test
    void aRefusedSubscriptionHasOneReply() {
        send("SUBSCRIBE c d");
        send("PING");
        assertThat(answered("-NOPERM\r\n")).isEqualTo("SUBSCRIBE c d");
        assertThat(answered("+PONG\r\n")).isEqualTo("PING");
    }

    @Test
    void anUnsubscriptionFromAllMayHaveMoreReplies() {
        send("SUBSCRIBE c d");
        answered(confirmation("*", "subscribe", "c"));
        answered(confirmation("*", "subscribe", "d"));
        send("UNSUBSCRIBE");
        send("GET a");
        assertThat(answered(confirmation("*", "unsubscribe", "c"))).isEqualTo("UNSUBSCRIBE");
        assertThat(answered(confirmation("*", "unsubscribe", "d"))).isEqualTo("nothing");
        assertThat(answered("+1\r\n")).isEqualTo("GET a");
    }

    private void send(String request) {
        pairing.sent(new RespRequest(List.of(request.split(" "))), false);
    }

    private String answered(String frame) {
        return pairing.answered(frame.getBytes(StandardCharsets.US_ASCII))
                .map(expected -> expected.request().text())
                .orElse("nothing");
    }

    private static String confirmation(String type, String kind, String channel) {
        return type + "3\r\n$" + kind.length() + "\r\n" + kind + "\r\n$1\r\n" + channel + "\r\n:1\r\n";
    }
}
