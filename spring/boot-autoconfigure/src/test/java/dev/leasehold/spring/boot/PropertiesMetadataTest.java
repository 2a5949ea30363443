package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Compares the metadata of the properties, which editors use, with the classes that the properties are bound to. */
class PropertiesMetadataTest {

    private static final Map<String, JsonNode> KNOWN = known();

    private static Map<String, JsonNode> known() {
        try (InputStream metadata = LeaseholdProperties.class
                .getClassLoader()
                .getResourceAsStream("META-INF/spring-configuration-metadata.json")) {
            return StreamSupport.stream(
                            new ObjectMapper()
                                    .readTree(metadata)
                                    .get("properties")
                                    .spliterator(),
                            false)
                    // Boot itself adds the properties of the endpoint.
                    .filter(one -> one.get("name").asText().startsWith("leasehold."))
                    .collect(Collectors.toMap(one -> one.get("name").asText(), one -> one));
        } catch (IOException e) {
            throw new IllegalStateException("the metadata cannot be read", e);
        }
    }

    /** Returns the properties of a record and its nested records, with the component that each is bound to. */
    private static Map<String, Parameter> bound(String prefix, Class<?> type) {
        Map<String, Parameter> bound = new TreeMap<>();
        for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
            String name = prefix + "." + dashed(parameter.getName());
            if (parameter.getType().isRecord()) {
                bound.putAll(bound(name, parameter.getType()));
            } else {
                bound.put(name, parameter);
            }
        }
        return bound;
    }

    private static Map<String, Parameter> bound() {
        return bound(
                LeaseholdProperties.class
                        .getAnnotation(ConfigurationProperties.class)
                        .value(),
                LeaseholdProperties.class);
    }

    private static String dashed(String name) {
        String dashed = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        return ConfigurationPropertyName.of(dashed).toString();
    }

    /** Returns the documented default: empty if there is none, or if it is an empty list. */
    private static String documented(String property) {
        return KNOWN.get(property).path("defaultValue").asText();
    }

    @Test
    void theMetadataHasAllPropertiesAndNoOther() {
        assertThat(KNOWN.keySet()).containsExactlyInAnyOrderElementsOf(bound().keySet());
    }

    @Test
    void eachHasItsTypeAndADescription() {
        assertThat(bound()).allSatisfy((name, parameter) -> {
            JsonNode known = KNOWN.get(name);
            assertThat(known).as(name).isNotNull();
            assertThat(known.path("type").asText())
                    .as(name)
                    .isEqualTo(boxed(parameter.getParameterizedType().getTypeName()));
            assertThat(known.path("description").asText()).as(name).hasSizeGreaterThan(10);
        });
    }

    private static String boxed(String type) {
        return switch (type) {
            case "boolean" -> Boolean.class.getName();
            case "int" -> Integer.class.getName();
            default -> type.replace(" ", "");
        };
    }

    @Test
    void eachHasTheDefaultThatItIsBoundWith() {
        Map<String, String> expected = new LinkedHashMap<>();
        Map<String, String> known = new LinkedHashMap<>();
        bound().forEach((name, parameter) -> {
            DefaultValue of = parameter.getAnnotation(DefaultValue.class);
            expected.put(name, of == null ? "" : Arrays.stream(of.value()).collect(Collectors.joining(",")));
            known.put(name, KNOWN.containsKey(name) ? documented(name) : "unknown");
        });
        assertThat(known).isEqualTo(expected);
    }

    /** Other documents rely on these defaults. */
    @Test
    void theDefaultsAreAsDocumented() {
        assertThat(documented("leasehold.lock-registry.name-prefix")).isEqualTo("integration:");
        assertThat(documented("leasehold.shedlock.name-prefix")).isEqualTo("job:");
        assertThat(documented("leasehold.shedlock.keep-alive")).isEqualTo("false");
        assertThat(documented("leasehold.observations.enabled")).isEqualTo("true");
        assertThat(documented("leasehold.observations.lock-names")).isEqualTo("false");
        assertThat(documented("leasehold.metrics.lock-names")).isEqualTo("false");
        assertThat(documented("leasehold.endpoint.allow-forced-release")).isEqualTo("false");
        assertThat(documented("leasehold.endpoint.allow-release-all")).isEqualTo("false");
        assertThat(documented("leasehold.endpoint.allow-without-role")).isEqualTo("false");
        assertThat(documented("leasehold.console.enabled")).isEqualTo("false");
        assertThat(documented("leasehold.console.role")).isEmpty();
        assertThat(documented("leasehold.console.allow-every-user")).isEqualTo("false");
        assertThat(documented("leasehold.console.actions-role")).isEmpty();
        assertThat(documented("leasehold.console.allow-without-security")).isEqualTo("false");
    }
}
