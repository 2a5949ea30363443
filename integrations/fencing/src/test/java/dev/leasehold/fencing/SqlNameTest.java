package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only identifiers become part of a statement. */
class SqlNameTest {

    @ParameterizedTest
    @ValueSource(strings = {"fence", "app.fence", "\"Odd; name?\"", "db.dbo.[fence]", "`x`.`y`", "_f$1", "Zäune"})
    void identifiersAreTables(String name) {
        assertThatNoException().isThrownBy(() -> JdbcFenceTable.named(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "fence ",
                "fence; DROP TABLE x",
                "fence--",
                "a b",
                "\"un",
                "a..b",
                "1a",
                "f(x)",
                "x,y",
                "\"a\" OR \"b\"",
                "a\n",
                "?"
            })
    void anyOtherTextIsRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcFenceTable.named(name));
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcFenceTable.named("t", name, "fence"));
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcFenceTable.named("t", "name", name));
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcFenceColumn.of(name, "fence", "id"));
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcFenceColumn.of("t", name, "id"));
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcFenceColumn.of("t", "fence", name));
    }

    @Test
    void aRowNeedsAKey() {
        assertThatIllegalArgumentException().isThrownBy(() -> JdbcFenceColumn.of("t", "fence"));
    }
}
