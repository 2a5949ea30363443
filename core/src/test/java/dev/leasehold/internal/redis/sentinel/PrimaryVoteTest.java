package dev.leasehold.internal.redis.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrimaryVoteTest {

    private static final List<String> OLD = List.of("old", "1");
    private static final List<String> NEW = List.of("new", "2");

    private final PrimaryVote vote = new PrimaryVote(3);

    @Test
    void theAnswerOfAMajorityCountsAtOnce() {
        vote.answered(NEW);
        assertThat(vote.decides()).isFalse();
        vote.answered(NEW);
        assertThat(vote.decides()).isTrue();
        assertThat(vote.outcome()).isEqualTo(new RedisAddress("new", 2));
        vote.answered(OLD);
        assertThat(vote.decides()).isFalse();
    }

    @Test
    void withoutAMajorityTheMostFrequentAnswerCountsOnceAllHaveAnsweredOrFailed() {
        vote.failed(new TransportException("silent", true, null));
        vote.answered(NEW);
        assertThat(vote.decides()).isFalse();
        vote.answered(null);
        assertThat(vote.decides()).isTrue();
        assertThat(vote.outcome()).isEqualTo(new RedisAddress("new", 2));
    }

    @Test
    void anErrorReplyTellsMoreThanSilence() {
        RedisErrorException refusal = new RedisErrorException("NOAUTH");
        vote.failed(new TransportException("silent", true, null));
        vote.failed(refusal);
        vote.failed(new TransportException("silent", true, null));
        assertThat(vote.decides()).isTrue();
        assertThat(vote.outcome()).isNull();
        assertThat(vote.failure()).isSameAs(refusal);
    }

    @Test
    void withoutAnyAnswerEachSentinelIsNamed() {
        for (String address : List.of("10.0.0.1:26379", "10.0.0.2:26379", "10.0.0.3:26379")) {
            vote.failed(TransportException.noAnswer(address, false, new IllegalStateException("Connection refused")));
        }
        assertThat(vote.failure())
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("10.0.0.1:26379", "10.0.0.2:26379", "10.0.0.3:26379", "Connection refused");
    }
}
