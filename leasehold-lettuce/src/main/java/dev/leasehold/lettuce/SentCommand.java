package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A command and, at once, the stage its caller gets: no second future stands between Lettuce and the caller. It fails
 * with the exceptions of the port, remembers whether it ever was written, and when its caller gives up, lets the
 * connection be judged.
 */
class SentCommand<T extends @Nullable Object> extends AsyncCommand<String, String, T> {

    private final String address;
    private volatile @Nullable LettuceSession<?> session;
    private volatile boolean written;
    private long arrivalsBefore;
    private long sentAt;

    SentCommand(
            ProtocolKeyword type,
            CommandOutput<String, String, T> output,
            CommandArgs<String, String> args,
            String address) {
        super(new Command<>(type, output, args));
        this.address = address;
    }

    static CommandArgs<String, String> args() {
        return new CommandArgs<>(StringCodec.UTF8);
    }

    /** Told by the session just before it hands the command to Lettuce. */
    void sentOver(LettuceSession<?> over, long arrivals, long now) {
        arrivalsBefore = arrivals;
        sentAt = now;
        session = over;
    }

    /** Returns whether it was encoded for the socket; until then it cannot have been executed. */
    boolean isWritten() {
        return written;
    }

    @Override
    public void encode(ByteBuf buf) {
        written = true;
        super.encode(buf);
    }

    /** Lettuce has the whole reply. */
    @Override
    public void complete() {
        LettuceSession<?> over = session;
        if (over != null) {
            over.arrived();
        }
        String error = getOutput().getError();
        if (error == null) {
            super.complete();
        } else {
            refused(error);
        }
    }

    /** Redis answered with an error. */
    void refused(String error) {
        completeExceptionally(new RedisErrorException(error));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        LettuceSession<?> over = session;
        if (over != null && failure instanceof IOException) {
            // Lettuce learns of the disconnection next. A caller that retries immediately must get a new connection.
            over.broke();
        } else if (over != null && failure instanceof RedisCommandTimeoutException) {
            // A lent client has timeouts of its own.
            over.doubt(arrivalsBefore, sentAt, this::isWritten);
        }
        return super.completeExceptionally(Failures.of(failure, written, address));
    }

    /** Lettuce drops the command, because its connection was closed. The caller's own cancel has a parameter. */
    @Override
    public void cancel() {
        completeExceptionally(
                new TransportException("the connection to Redis at " + address + " was closed", written, null));
    }

    /** The caller has given up waiting. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        LettuceSession<?> over = session;
        if (cancelled && over != null) {
            over.doubt(arrivalsBefore, sentAt, this::isWritten);
        }
        return cancelled;
    }
}
