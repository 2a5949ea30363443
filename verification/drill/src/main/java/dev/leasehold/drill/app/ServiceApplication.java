package dev.leasehold.drill.app;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import reactor.core.publisher.Mono;

/** One instance of the service. It ends with its standard input, so that none outlives the drill. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Orders.class, Shift.class, Leadership.class, StateController.class})
public class ServiceApplication {

    ServiceApplication() {}

    /**
     * Starts the instance.
     *
     * @param args properties, as {@code --name=value}
     */
    public static void main(String[] args) {
        Thread leash = new Thread(ServiceApplication::endWithStandardInput, "leash");
        leash.setDaemon(true);
        leash.start();
        SpringApplication.run(ServiceApplication.class, args);
    }

    private static void endWithStandardInput() {
        try {
            while (System.in.read() >= 0) {
                // The drill writes nothing; the stream ends with its process.
            }
        } catch (IOException e) {
            // An error counts as the end.
        }
        Runtime.getRuntime().halt(1);
    }

    /** Reads the password for each new connection, as an application does whose password is rotated. */
    @Bean
    LettuceClientConfigurationBuilderCustomizer credentials(
            @Value("${drill.user}") String user, @Value("${drill.password-file}") Path file) {
        RedisCredentialsProviderFactory factory = new RedisCredentialsProviderFactory() {
            @Override
            public RedisCredentialsProvider createCredentialsProvider(@Nullable RedisConfiguration configuration) {
                return () -> Mono.fromSupplier(() -> read(user, file));
            }
        };
        return builder -> builder.redisCredentialsProviderFactory(factory);
    }

    private static RedisCredentials read(String user, Path file) {
        try {
            return RedisCredentials.just(user, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the password", e);
        }
    }
}
