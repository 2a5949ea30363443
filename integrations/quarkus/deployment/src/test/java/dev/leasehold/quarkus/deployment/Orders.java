package dev.leasehold.quarkus.deployment;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.Lock;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A resource whose methods run under a lock, each with another kind of result. */
@Path("orders")
public class Orders {

    /** The lock of all. */
    static final String LOCK = "secret-order";

    @Inject
    Leasehold leasehold;

    @GET
    @Lock(LOCK)
    public String pay() {
        return "paid";
    }

    /** Someone takes the lock away while it works. */
    @GET
    @Path("late")
    @Lock(LOCK)
    public String payLate() {
        leasehold.lock(LOCK).forceRelease();
        return "paid late";
    }

    @GET
    @Path("uni")
    @Lock(LOCK)
    public Uni<String> payUni() {
        return Uni.createFrom().item("paid");
    }

    @GET
    @Path("stage")
    @Lock(LOCK)
    public CompletionStage<String> payStage() {
        return CompletableFuture.completedStage("paid");
    }

    static HttpResponse<String> get(URI application, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(application.resolve(path)).build(), BodyHandlers.ofString());
    }
}
