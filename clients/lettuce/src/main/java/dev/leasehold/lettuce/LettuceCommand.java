package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CompleteableCommand;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A command as Lettuce sends it. It remembers whether it was ever written: until then it cannot have been executed. */
final class LettuceCommand extends Command<String, String, @Nullable Object>
        implements CompleteableCommand<@Nullable Object> {

    private static final Map<String, Name> FREQUENT = Map.of("EVALSHA", new Name("EVALSHA"), "EVAL", new Name("EVAL"));
    private static final int TEN = 10;
    /** CR and LF. */
    private static final int LINE_END = 0x0D0A;

    private final RedisCommand command;
    private final LettuceConnection connection;
    private volatile boolean written;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Runnable onEnd;

    LettuceCommand(RedisCommand command, LettuceConnection connection) {
        super(name(command.words().get(0)), new ReplyOutput(), null);
        this.command = command;
        this.connection = connection;
    }

    private static Name name(String word) {
        Name known = FREQUENT.get(word);
        return known == null ? new Name(word) : known;
    }

    /** Writes the words as they are: Lettuce would make an object of each. */
    @Override
    public void encode(ByteBuf buf) {
        written = true;
        command.written();
        List<String> words = command.words();
        int size = words.size();
        length(buf, '*', size);
        for (int i = 0; i < size; i++) {
            String word = words.get(i);
            int bytes = ByteBufUtil.utf8Bytes(word);
            length(buf, '$', bytes);
            ByteBufUtil.reserveAndWriteUtf8(buf, word, bytes);
            buf.writeShort(LINE_END);
        }
    }

    private static void length(ByteBuf buf, char type, int number) {
        buf.writeByte(type);
        int power = 1;
        while (number / power >= TEN) {
            power *= TEN;
        }
        for (; power > 0; power /= TEN) {
            buf.writeByte('0' + number / power % TEN);
        }
        buf.writeShort(LINE_END);
    }

    /** Lettuce does not write a command that is done. */
    @Override
    public boolean isDone() {
        return super.isDone() || command.isCancelled();
    }

    /** Lettuce has the whole reply. */
    @Override
    public void complete() {
        super.complete();
        if (ends()) {
            String error = getOutput().getError();
            if (error == null) {
                command.answered(getOutput().get());
            } else {
                command.failed(new RedisErrorException(error));
            }
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        super.completeExceptionally(failure);
        if (!ends()) {
            return false;
        }
        if (failure instanceof IOException broken) {
            // Lettuce learns of the disconnection next. A caller that retries immediately must get a new connection.
            connection.ended(LettuceFailures.reason(broken));
        }
        command.failed(LettuceFailures.of(failure, written, connection.address()));
        return true;
    }

    /** Lettuce drops the command, because its connection was closed. */
    @Override
    public void cancel() {
        super.cancel();
        leftBehind(written);
    }

    /** The connection was closed, and Lettuce may never complete the command. */
    void leftBehind(boolean maybeExecuted) {
        if (ends()) {
            command.failed(new TransportException(
                    "the connection to Redis at " + connection.address() + " was closed", maybeExecuted, null));
        }
    }

    private boolean ends() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        Runnable action = onEnd;
        if (action != null) {
            action.run();
        }
        return true;
    }

    @Override
    public void onComplete(Consumer<? super @Nullable Object> action) {
        onComplete((reply, failure) -> action.accept(reply));
    }

    /** Called by a lent client that has timeouts of its own, to end the timeout. */
    @Override
    public void onComplete(BiConsumer<? super @Nullable Object, Throwable> action) {
        onEnd = () -> action.accept(null, null);
    }

    /**
     * The name of any command. Lettuce looks for MULTI and EXEC by the text in capitals, and would answer the commands
     * between them in a way of its own: so this is another text.
     */
    private static final class Name implements ProtocolKeyword {
        private final byte[] bytes;
        private final String text;

        Name(String word) {
            bytes = word.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
            text = word.toLowerCase(Locale.ROOT);
        }

        @Override
        public byte[] getBytes() {
            return bytes;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
