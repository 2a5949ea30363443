package dev.leasehold.drill.app;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tells the drill which long leases the instance has, and whether it is in the middle of long work. */
@RestController
class StateController {

    private final Shift shift;
    private final Leadership leadership;
    private final Orders orders;

    StateController(Shift shift, Leadership leadership, Orders orders) {
        this.shift = shift;
        this.leadership = leadership;
        this.orders = orders;
    }

    @GetMapping("/state")
    public String state() {
        return (shift.isHeld() ? "on duty" : "off duty")
                + (orders.isAuditing() ? ", auditing" : "")
                + (leadership.leads() ? ", leader" : "");
    }
}
