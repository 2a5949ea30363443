package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespFramesTest {

    private static final List<String> FRAMES = List.of(
            "+OK\r\n",
            "-ERR no\r\n",
            ":12\r\n",
            "$5\r\na\r\nb\r\r\n",
            "$-1\r\n",
            "$0\r\n\r\n",
            "*0\r\n",
            "*-1\r\n",
            "*2\r\n$1\r\na\r\n*2\r\n:1\r\n$-1\r\n",
            "_\r\n",
            ",1.5\r\n",
            "#t\r\n",
            "(123456789012345678901234567890\r\n",
            "!9\r\nERR \r\nbad\r\n",
            "=6\r\ntxt:hi\r\n",
            "~2\r\n+a\r\n+b\r\n",
            "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n",
            ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n",
            "|1\r\n+ttl\r\n:3\r\n*1\r\n:9\r\n",
            "PING\r\n");

    /** Whatever the pieces, the frames are the same: no network keeps messages together. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100_000})
    void cutsEveryKindOfFrameOutOfPiecesOfAnySize(int size) throws IOException {
        byte[] stream = String.join("", FRAMES).getBytes(StandardCharsets.US_ASCII);
        RespFrames frames = new RespFrames();
        List<String> cut = new ArrayList<>();
        for (int from = 0; from < stream.length; from += size) {
            ByteBuffer piece = ByteBuffer.wrap(stream, from, Math.min(size, stream.length - from));
            for (byte[] frame : frames.feed(piece)) {
                cut.add(new String(frame, StandardCharsets.US_ASCII));
            }
        }
        assertThat(cut).isEqualTo(FRAMES);
    }

    @Test
    void refusesWhatIsNotResp() {
        assertThatThrownBy(() -> new RespFrames().feed(ByteBuffer.wrap(new byte[] {'*', 'x', '\r', '\n'})))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("\"x\"");
    }

    @Test
    void readsTheWordsOfARequest() {
        RespRequest request = RespRequest.of(bytes("*3\r\n$3\r\nset\r\n$5\r\nk\r\n\u00fc\r\n$0\r\n\r\n"));
        assertThat(request.words()).containsExactly("set", "k\r\n\u00fc", "");
        assertThat(request.command()).isEqualTo("SET");
        assertThat(RespRequest.of(bytes("PING  hello\r\n")).words()).containsExactly("PING", "hello");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
