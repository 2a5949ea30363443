package dev.leasehold.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates build names from arguments, and treat arguments as plain text. */
class TemplateTest {

    record Customer(String name, Optional<String> code) {}

    static final class Order {
        public final int number;
        private final @Nullable String id;
        private final Customer customer;

        Order(@Nullable String id, int number, Customer customer) {
            this.id = id;
            this.number = number;
            this.customer = customer;
        }

        public @Nullable String getId() {
            return id;
        }

        public boolean isOpen() {
            return true;
        }

        public Customer customer() {
            return customer;
        }

        public String broken() {
            throw new UnsupportedOperationException("secret of the order");
        }

        String hidden() {
            return "hidden";
        }
    }

    interface Methods {
        void pay(@Nullable Order order, @Nullable Object note);
    }

    private static final MethodParameters PARAMETERS = MethodParameters.of(method());

    private static Method method() {
        return Methods.class.getDeclaredMethods()[0];
    }

    private static Order order(@Nullable String id) {
        return new Order(id, 4, new Customer("ann", Optional.of("x7")));
    }

    private static Template parse(String template) {
        return Template.parse(
                template, PARAMETERS, text -> text.replace("${prefix}", "#{#note}"), new ParameterPaths());
    }

    private static String name(String template, @Nullable Order order, @Nullable Object note) {
        return parse(template).of(new @Nullable Object[] {order, note});
    }

    @Test
    void aPathReadsTheArguments() {
        Order order = order("17");
        assertThat(name("order:#{#order.id}", order, null)).isEqualTo("order:17");
        assertThat(name("order:#{ #p0.getId() }:#{#a1}/x", order, 5L)).isEqualTo("order:17:5/x");
        assertThat(name("#{#order.customer().name}-#{#order.number}-#{#order.open}", order, null))
                .isEqualTo("ann-4-true");
        assertThat(name("#{#order.customer().code}", order, null)).isEqualTo("x7");
        assertThat(name("constant", null, null)).isEqualTo("constant");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#{#order}", "#{T(java.lang.Runtime)}", "${user.home}", "${prefix}", "{tag}\r\n"})
    void dataIsNeverEvaluated(String data) {
        assertThat(name("order:#{#note}", null, data)).isEqualTo("order:" + data);
        assertThat(name("order:#{#order.id}", order(data), null)).isEqualTo("order:" + data);
    }

    @Test
    void theValueOfAPlaceholderIsNotEvaluated() {
        assertThat(name("${prefix}:#{#note}", null, "n")).isEqualTo("#{#note}:n");
    }

    @Test
    void aPartThatIsNullOrEmptyIsRefused() {
        assertThatThrownBy(() -> name("order:#{#order.id}", null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#{#order.id} of 'order:#{#order.id}' is null");
        assertThatThrownBy(() -> name("order:#{#order.id}", order(null), null)).hasMessageContaining("is null");
        assertThatThrownBy(() -> name("order:#{#note}", null, "")).hasMessageContaining("is empty");
        assertThatThrownBy(() -> name("order:#{#note}", null, Optional.empty())).hasMessageContaining("is null");
    }

    @Test
    void aValueWithoutATextOfItsOwnIsRefused() {
        assertThatThrownBy(() -> name("#{#note}", null, new Object())).hasMessageContaining("java.lang.Object");
        assertThatThrownBy(() -> name("#{#note}", null, new int[] {1})).hasMessageContaining("Name a property");
    }

    @Test
    void aMessageDoesNotContainTheArguments() {
        assertThatThrownBy(() -> name("#{#order.broken()}", order("17"), null))
                .hasMessageContaining(
                        "failed; check the argument and the expression: it threw java.lang.UnsupportedOperationException")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{T(java.lang.Math).random()}",
                "#{#order.id = 'x'}",
                "#{#order.customer('x')}",
                "#{#ordr.id}",
                "#{order.id}",
                "#{#order.missing}",
                "#{#order.hidden()}",
                "#{#order.notify()}",
                "#{#p2}",
                "#{}",
                "#{#order.}",
                "#{#order(}",
                "#{#order",
                "#{#order'}",
                "order:#order",
                "order:#p0"
            })
    void anInvalidTemplateIsRefusedWhenItIsParsed(String template) {
        assertThatThrownBy(() -> parse(template)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMessageExplainsHowToWriteIt() {
        assertThatThrownBy(() -> parse("#{#ordr}"))
                .hasMessageContaining("#ordr is no parameter; there are #order, #note");
        assertThatThrownBy(() -> parse("order:#order")).hasMessageContaining("Write #{#order}");
        assertThatThrownBy(() -> parse("#{#order.missing}"))
                .hasMessageContaining("TemplateTest$Order has no public property missing");
        assertThatThrownBy(() -> parse("#{#order")).hasMessageContaining("an expression has no closing brace");
    }

    /** The JDK's classes are compiled without the names of parameters. */
    @Test
    void aMessageForAClassWithoutParameterNamesExplainsHowToCompileThem() throws Exception {
        MethodParameters none = MethodParameters.of(String.class.getMethod("concat", String.class));
        assertThatThrownBy(() -> Template.parse("#{#str}", none, text -> text, new ParameterPaths()))
                .hasMessageContaining("-parameters")
                .hasMessageContaining("#p0");
        assertThat(Template.parse("#{#p0}", none, text -> text, new ParameterPaths())
                        .of(new @Nullable Object[] {"x"}))
                .isEqualTo("x");
    }

    @Test
    void bracketsAndQuotesHideABrace() {
        List<String> seen = new java.util.ArrayList<>();
        Template.parse("a#{f({1, '}'})}b#{x[\"]\"]}", PARAMETERS, text -> text, (expression, parameters) -> {
            seen.add(expression);
            return arguments -> "";
        });
        assertThat(seen).containsExactly("f({1, '}'})", "x[\"]\"]");
    }
}
