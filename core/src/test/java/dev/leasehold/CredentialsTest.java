package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {

    @Test
    void thePasswordIsMasked() {
        assertThat(new Credentials("app", "s3cret")).hasToString("Credentials[app, ***]");
        assertThat(new Credentials(null, "s3cret")).hasToString("Credentials[default user, ***]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\n"})
    void aUserThatRedisCannotHaveIsRejected(String user) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Credentials(user, "s3cret"))
                .withMessageContaining("the user of Redis credentials")
                .withMessageContaining("null for the default user")
                .withMessageNotContaining("s3cret");
    }

    @Test
    void anEmptyPasswordIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Credentials("app", ""))
                .withMessageContaining("the password of Redis credentials is empty")
                .withMessageContaining("leave credentials(...) out");
    }
}
