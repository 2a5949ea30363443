package dev.leasehold.tck;

import dev.leasehold.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only thread of a proxy: it moves all bytes and makes all changes, so that a fault is in force for every byte
 * that arrives after the call that set it.
 */
final class ProxyLoop {

    private static final int TRIES = 1_000;
    private static final int CONTROL_LIMIT_SECONDS = 30;

    private final ProxyState state;
    private final InetSocketAddress target;
    private final InetSocketAddress address;
    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> done = new ConcurrentLinkedQueue<>();
    private final List<ProxyLink> links = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    private final Thread thread;
    private @Nullable ServerSocketChannel listener;
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure;

    ProxyLoop(ProxyState state, InetSocketAddress target) throws IOException {
        this.state = state;
        this.target = target;
        this.selector = Selector.open();
        ServerSocketChannel first = bindAnywhere();
        this.address = (InetSocketAddress) first.getLocalAddress();
        first.register(selector, SelectionKey.OP_ACCEPT);
        this.listener = first;
        this.thread = new Thread(this::run, "leasehold-fault-proxy-" + address.getPort());
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return address.getPort();
    }

    /** Binds to a port that no other JVM of tests takes, also while the proxy refuses connections. */
    private static ServerSocketChannel bindAnywhere() throws IOException {
        for (int i = 1; ; i++) {
            int port = FreePorts.next();
            try {
                return bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            } catch (BindException taken) {
                FreePorts.release(port);
                if (i == TRIES) {
                    throw taken;
                }
            }
        }
    }

    private static ServerSocketChannel bind(InetSocketAddress address) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.bind(address);
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Runs the task on the loop, and returns its result once it has taken effect. */
    <T> T call(Supplier<T> task) {
        throwFailure();
        CompletableFuture<T> result = new CompletableFuture<>();
        tasks.add(() -> {
            try {
                T value = task.get();
                done.add(() -> result.complete(value));
            } catch (RuntimeException e) {
                done.add(() -> result.completeExceptionally(e));
            }
        });
        selector.wakeup();
        T value = await(result);
        throwFailure();
        return value;
    }

    private <T> T await(CompletableFuture<T> result) {
        if (closed) {
            throw new IllegalStateException("The fault proxy on port " + port() + " has been closed.");
        }
        try {
            return result.get(CONTROL_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("The fault proxy failed", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("The fault proxy does not react. Did a predicate call it?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the fault proxy", e);
        }
    }

    private void throwFailure() {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw new IllegalStateException("A predicate given to the fault proxy failed", thrown);
        }
    }

    List<ProxyLink> links() {
        return List.copyOf(links);
    }

    boolean isListening() {
        return listener != null;
    }

    void stopListening() {
        if (listener != null) {
            close(listener);
            listener = null;
        }
    }

    void listen() {
        if (listener == null) {
            try {
                ServerSocketChannel again = bind(address);
                again.register(selector, SelectionKey.OP_ACCEPT);
                listener = again;
            } catch (IOException e) {
                throw new UncheckedIOException("Port " + port() + " has been taken meanwhile", e);
            }
        }
    }

    /** Ends the thread and resets what is open. Idempotent. */
    void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CONTROL_LIMIT_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        FreePorts.release(port());
        throwFailure();
    }

    private void run() {
        try (selector) {
            while (!closed) {
                turn();
            }
            stopListening();
            links.forEach(link -> link.close(true));
            selector.selectNow();
        } catch (IOException | ClosedSelectorException e) {
            failure = new IllegalStateException("The loop of the fault proxy ended", e);
        }
    }

    private void turn() throws IOException {
        long wait = flush();
        if (!tasks.isEmpty()) {
            // Its wake-up may have ended the selectNow of the last turn already.
            selector.selectNow();
        } else if (wait == ProxyPipe.NEVER) {
            selector.select();
        } else {
            selector.select(1 + TimeUnit.NANOSECONDS.toMillis(wait));
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        flush();
        // From here on, closed connections are closed for the other side: a selector defers the close to a
        // selection.
        selector.selectNow();
        for (Runnable finished = done.poll(); finished != null; finished = done.poll()) {
            finished.run();
        }
        for (SelectionKey key : List.copyOf(selector.selectedKeys())) {
            handle(key);
        }
        selector.selectedKeys().clear();
    }

    private void handle(SelectionKey key) throws IOException {
        if (key.attachment() instanceof ProxyLink link) {
            try {
                link.ready(key, buffer);
            } catch (RuntimeException thrownByPredicate) {
                failure = thrownByPredicate;
                link.close(true);
            }
        } else if (key.isValid() && key.channel() instanceof ServerSocketChannel accepting) {
            accept(accepting);
        }
    }

    private void accept(ServerSocketChannel accepting) throws IOException {
        SocketChannel client = accepting.accept();
        if (client != null) {
            state.counters().connection();
            ProxyLink link = new ProxyLink(state, client, selector);
            links.add(link);
            link.connect(target);
        }
    }

    private long flush() {
        long now = System.nanoTime();
        long next = ProxyPipe.NEVER;
        for (ProxyLink link : links) {
            next = Math.min(next, link.flush(now));
        }
        links.removeIf(link -> !link.isOpen());
        return next;
    }

    private static void close(ServerSocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
