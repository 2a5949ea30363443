package dev.leasehold.examples.quarkus;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Sells a ticket for a concert, and answers with its number. */
@Path("/concerts/{concert}")
public final class TicketResource {

    private final Tickets tickets;

    TicketResource(Tickets tickets) {
        this.tickets = tickets;
    }

    @POST
    @Path("tickets")
    public String sell(String concert) {
        return String.valueOf(tickets.sell(concert));
    }

    @POST
    @Path("reactive-tickets")
    public Uni<String> sellReactively(String concert) {
        return tickets.sellReactively(concert).map(String::valueOf);
    }
}
