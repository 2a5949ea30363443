package dev.leasehold.cli.internal.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The director's orders, which a process of the demonstration reads from standard input. */
final class Orders {

    private Orders() {}

    /** Begins to read. When standard input ends, the process ends too, so it never outlives the director. */
    static BlockingQueue<String> listen() {
        BlockingQueue<String> orders = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(orders), "orders");
        reader.setDaemon(true);
        reader.start();
        return orders;
    }

    private static void read(BlockingQueue<String> orders) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                orders.add(line);
            }
        } catch (IOException e) {
            // An error counts as the end of the input.
        }
        Runtime.getRuntime().halt(1);
    }
}
