package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.annotation.MethodParameters;
import dev.leasehold.annotation.Template;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of locks with the Spring Expression Language, which treats arguments as plain text. */
class SpelExpressionsTest {

    record Order(@Nullable String id, List<Integer> items) {}

    interface Methods {
        void pay(@Nullable Object order, @Nullable Object note);
    }

    private static final MethodParameters NAMES = MethodParameters.of(method());

    private static Method method() {
        return Methods.class.getDeclaredMethods()[0];
    }

    private static String name(String template, @Nullable Object order) {
        return Template.parse(template, NAMES, text -> text, new SpelExpressions())
                .of(new @Nullable Object[] {order, null});
    }

    @Test
    void anExpressionReadsTheArguments() {
        Order order = new Order("17", List.of(4, 5));
        assertThat(name("order:#{#order.id}", order)).isEqualTo("order:17");
        assertThat(name("order:#{#p0.id()}:#{#a0.items[1]}/x", order)).isEqualTo("order:17:5/x");
        assertThat(name("#{#order.items.![#this + 1]}", order)).isEqualTo("[5, 6]");
        assertThat(name("#{#order['key']}", Map.of("key", 3L))).isEqualTo("3");
        assertThat(name("#{#order?.length() > 2 ? 'long' : 'short'}", "four")).isEqualTo("long");
        assertThat(name("#{#order}", Optional.of(7))).isEqualTo("7");
        assertThat(name("constant", null)).isEqualTo("constant");
    }

    /** Hazard 48: the template is code; arguments are not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "T(java.lang.Runtime).getRuntime().exec('true')",
                "#{T(java.lang.Runtime).getRuntime()}",
                "#{#order}",
                "${user.home}",
                "@leasehold.close()",
                "new java.io.File('x')",
                "{tag}\r\n"
            })
    void dataIsNeverEvaluated(String data) {
        assertThat(name("order:#{#order}", data)).isEqualTo("order:" + data);
        assertThat(name("order:#{#order.id}", new Order(data, List.of()))).isEqualTo("order:" + data);
    }

    @Test
    void theValueOfAPlaceholderIsNotEvaluated() {
        Template template = Template.parse(
                "${prefix}:#{#order}",
                NAMES,
                text -> text.replace("${prefix}", "#{T(java.lang.Runtime)}"),
                new SpelExpressions());
        assertThat(template.of(new @Nullable Object[] {"${prefix}", null}))
                .isEqualTo("#{T(java.lang.Runtime)}:${prefix}");
    }

    @Test
    void aPartThatIsNullOrEmptyIsRefused() {
        assertThatThrownBy(() -> name("order:#{#order}", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#{#order} of 'order:#{#order}' is null");
        assertThatThrownBy(() -> name("order:#{#order.id}", new Order(null, List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is null");
        assertThatThrownBy(() -> name("order:#{#order.id}", null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> name("order:#{#order}", "")).hasMessageContaining("is empty");
        assertThatThrownBy(() -> name("order:#{#order}", Optional.empty())).hasMessageContaining("is null");
    }

    @Test
    void aValueWithoutATextOfItsOwnIsRefused() {
        assertThatThrownBy(() -> name("order:#{#order}", new Object())).hasMessageContaining("java.lang.Object");
        assertThatThrownBy(() -> name("order:#{#order}", new int[] {1})).hasMessageContaining("Name a property");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{T(java.lang.Math).random()}",
                "#{@someBean.id}",
                "#{new String('x')}",
                "#{#order.id = 'x'}",
                "#{#ordr.id}",
                "#{order.id}",
                "#{toString()}",
                "#{#order.equals(other)}",
                "#{#root}",
                "#{#p2}",
                "order:#order",
                "order:#p0",
                "#{#order +}"
            })
    void anInvalidTemplateIsRefusedWhenItIsParsed(String template) {
        assertThatThrownBy(() -> Template.parse(template, NAMES, text -> text, new SpelExpressions()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMessageListsTheParameters() {
        assertThatThrownBy(() -> Template.parse("#{#ordr}", NAMES, text -> text, new SpelExpressions()))
                .hasMessageContaining("#ordr is no parameter; there are #order, #note");
        assertThatThrownBy(() -> Template.parse("order:#order", NAMES, text -> text, new SpelExpressions()))
                .hasMessageContaining("Write #{#order}");
    }

    /** The JDK's classes are compiled without the names of parameters. */
    @Test
    void aMessageForAClassWithoutMethodParametersExplainsHowToCompileThem() throws Exception {
        MethodParameters none = MethodParameters.of(String.class.getMethod("concat", String.class));
        assertThatThrownBy(() -> Template.parse("#{#str}", none, text -> text, new SpelExpressions()))
                .hasMessageContaining("-parameters")
                .hasMessageContaining("#p0");
        assertThat(Template.parse("#{#p0}", none, text -> text, new SpelExpressions())
                        .of(new @Nullable Object[] {"x"}))
                .isEqualTo("x");
    }
}
