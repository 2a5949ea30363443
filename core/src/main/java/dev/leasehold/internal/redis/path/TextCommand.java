package dev.leasehold.internal.redis.path;

import dev.leasehold.spi.RedisErrorException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Any command, with its reply as it is. */
public final class TextCommand extends PendingCommand<@Nullable Object> {

    private final UnaryOperator<RedisErrorException> refusals;

    /** Not sent yet. */
    public TextCommand(List<String> words) {
        this(words, UnaryOperator.identity());
    }

    /**
     * Not sent yet.
     *
     * @param refusals returns what the caller gets for an error of Redis
     */
    public TextCommand(List<String> words, UnaryOperator<RedisErrorException> refusals) {
        super(words);
        this.refusals = refusals;
    }

    @Override
    protected void replied(@Nullable Object reply) {
        complete(reply);
    }

    @Override
    protected void refused(RedisErrorException refusal) {
        super.refused(refusals.apply(refusal));
    }
}
