package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A thread of the console writes, and the container reports an error: the order of both decides who gets the bytes. */
class ConsoleStreamsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger completions = new AtomicInteger();

    private final AsyncContext async = (AsyncContext) Proxy.newProxyInstance(
            AsyncContext.class.getClassLoader(), new Class<?>[] {AsyncContext.class}, (self, method, arguments) -> {
                if (method.getName().equals("complete")) {
                    completions.incrementAndGet();
                }
                return null;
            });

    private final ServletOutputStream out = new ServletOutputStream() {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException("the console blocks");
        }

        @Override
        public void write(int b) throws IOException {
            writes.incrementAndGet();
            writing.countDown();
            try {
                mayReturn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    };

    private final ConsoleStreams.Response response = new ConsoleStreams.Response(out, async);

    @Test
    void theContainerCannotEndAStreamWhileItIsWritten() throws InterruptedException {
        CompletableFuture<Void> write = CompletableFuture.runAsync(this::write);
        writing.await();
        Thread container = new Thread(() -> response.onError(new AsyncEvent(async)));
        container.start();
        await().atMost(LIMIT).until(() -> container.getState() != Thread.State.RUNNABLE);
        assertThat(completions).hasValue(0);
        mayReturn.countDown();
        write.join();
        container.join();
        assertThat(completions).hasValue(1);
    }

    private void write() {
        try {
            response.write('x');
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatTheContainerHasEndedIsNeitherWrittenNorEndedAgain() {
        response.onError(new AsyncEvent(async));
        assertThatThrownBy(() -> response.write('x')).isInstanceOf(IOException.class);
        assertThatThrownBy(response::flush).isInstanceOf(IOException.class);
        response.close();
        assertThat(writes).hasValue(0);
        assertThat(completions).hasValue(1);
    }
}
