package dev.leasehold.internal.redis.path;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Any command, with its reply as it is. */
public final class TextCommand extends PendingCommand<@Nullable Object> {

    /** Not sent yet. */
    public TextCommand(List<String> words) {
        super(words);
    }

    @Override
    protected void replied(@Nullable Object reply) {
        complete(reply);
    }
}
