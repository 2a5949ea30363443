package dev.leasehold.examples.stock;

import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * One instance of the shop. Needs the properties {@code stock.database}, {@code stock.process} and the URI of Redis.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Stock.class, Counters.class, OrderServer.class})
public class StockApplication {

    StockApplication() {}

    /**
     * Starts the instance and prints its port.
     *
     * @param args properties, as {@code --name=value}
     */
    public static void main(String[] args) {
        OrderServer server = SpringApplication.run(StockApplication.class, args).getBean(OrderServer.class);
        System.out.println("listening on " + server.port());
    }

    @Bean(destroyMethod = "dispose")
    JdbcConnectionPool dataSource(@Value("${stock.database}") String url) {
        JdbcConnectionPool pool = JdbcConnectionPool.create(url, "sa", "");
        pool.setMaxConnections(40);
        pool.setLoginTimeout(5);
        return pool;
    }
}
